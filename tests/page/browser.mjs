// Chromium and the page: from a file on disk as --report writes it, or behind a server that answers as the service does.
//
//   const browser = await start();
//   const tab = await browser.openFile(facts);              // file://…, its facts inside
//   const tab = await browser.openLive(serverAddress, '#/clusters');
//
// Each tab watches what a page must not do: dialogs, requests to elsewhere, errors, scripts of strangers.

import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const house = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const built = process.env.TWINSET_PAGE ?? path.join(house, 'page/built');
const require = createRequire(path.join(house, 'page/package.json'));
const { chromium } = require('playwright-core');
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((name) => fs.existsSync(name));
const screenshots = process.env.TWINSET_SCREENSHOTS;

export const script = fs.readFileSync(path.join(built, 'page.js'), 'utf8');
export const style = fs.readFileSync(path.join(built, 'page.css'), 'utf8');

const hash = (text) => `'sha256-${crypto.createHash('sha256').update(text).digest('base64')}'`;

/** The shell that the program writes around page.js and page.css; without facts it is live. */
export function shell(facts) {
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; ${facts === undefined ? "connect-src 'self'; " : ''}base-uri 'none'; form-action 'none'`;
  const inside = facts === undefined ? '' : `<script type="application/json" id="facts">${JSON.stringify(facts).replace(/</g, '\\u003c')}</script>\n`;
  return `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>twinset</title><style>${style}</style></head>
<body${facts === undefined ? ' data-live="1"' : ''}><main id="page"><p>Without scripts</p></main>
${inside}<script>${script}</script></body></html>\n`;
}

export async function until(look, what, milliseconds = 8000) {
  const end = Date.now() + milliseconds;
  for (let last; ; ) {
    try {
      last = await look();
      if (last) return last;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`not in ${milliseconds} ms: ${what} (last: ${last})`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export async function start() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'twinset-page-'));
  const chrome = await chromium.launch({ executablePath: program, args: ['--headless=new', '--in-process-gpu', ...(process.getuid() === 0 ? ['--no-sandbox'] : [])] });
  let files = 0;
  const contexts = [];

  async function tabIn({ width = 1200, height = 900, dark = false, ...more } = {}) {
    const context = await chrome.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', acceptDownloads: true, reducedMotion: 'reduce', ...more });
    contexts.push(context);
    const tab = await context.newPage();
    tab.seen = { requests: [], wrong: [] };
    tab.on('dialog', (dialog) => {
      tab.seen.wrong.push(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    tab.on('pageerror', (error) => tab.seen.wrong.push(`error: ${error.stack ?? error}`));
    // A refused request is told in the console, too; the tests that make one look at what the page says.
    tab.on('console', (message) => message.type() === 'error' && !/Failed to load resource/.test(message.text()) && tab.seen.wrong.push(`console: ${message.text()}`));
    tab.on('request', (request) => tab.seen.requests.push(request.url()));
    tab.on('popup', () => tab.seen.wrong.push('popup'));
    return tab;
  }

  return {
    folder,
    tabIn,
    /** Writes a report and opens it from disk. */
    async openFile(facts, place = '', options = {}) {
      const file = path.join(folder, `report-${++files}.html`);
      fs.writeFileSync(file, shell(facts));
      const tab = await tabIn(options);
      await tab.goto(pathToFileURL(file).href + place);
      await tab.waitForSelector('#page h1');
      return tab;
    },
    async openLive(address, place = '', options = {}) {
      const tab = await tabIn(options);
      await tab.goto(address + place);
      await tab.waitForSelector('#page h1');
      return tab;
    },
    async go(tab, place) {
      await tab.evaluate((hash) => {
        location.hash = hash;
      }, place);
      await settled(tab);
    },
    async stop() {
      await chrome.close();
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Looks that every view is held to, in one tab. */
export const looks = {
  light: (tab) => tab.emulateMedia({ colorScheme: 'light' }),
  dark: (tab) => tab.emulateMedia({ colorScheme: 'dark' }),
  narrow: async (tab) => {
    await tab.emulateMedia({ colorScheme: 'light' });
    await tab.setViewportSize({ width: 500, height: 900 });
  },
};

/** Until nothing is being loaded. */
export async function settled(tab) {
  await until(() => tab.evaluate(() => document.querySelector('#page h1, .token h1') !== null && document.querySelector('.waiting, .stale, [aria-busy="true"], .v-row.unknown') === null), 'the view is there');
  await tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

export async function screenshot(tab, name) {
  if (!screenshots) return;
  fs.mkdirSync(screenshots, { recursive: true });
  await tab.screenshot({ path: path.join(screenshots, `${name}.png`) });
}

/** Violations of the rules of axe-core: a line each. All rules in light; in the dark those of colors, and on a narrow screen the others. */
export async function violations(tab, look = 'light') {
  if (!(await tab.evaluate(() => 'axe' in window))) await tab.evaluate(axe);
  const rules = { light: {}, dark: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }, narrow: { rules: { 'color-contrast': { enabled: false } } } }[look];
  const found = await tab.evaluate((chosen) => window.axe.run(document, { resultTypes: ['violations'], preload: false, iframes: false, ...chosen }), rules);
  return found.violations.map((each) => `${each.id} (${each.impact}): ${each.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.failureSummary?.split('\n').slice(1, 2).join(' ')}`).join(' | ')}`);
}

/** Nothing but its own file or service was asked, and nothing went wrong. */
export function assertQuiet(tab, own = 'file:') {
  const foreign = tab.seen.requests.filter((url) => !url.startsWith(own) && !url.startsWith('blob:') && !url.startsWith('data:'));
  assert.deepEqual({ foreign, wrong: tab.seen.wrong }, { foreign: [], wrong: [] });
}
