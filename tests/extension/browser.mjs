// A browser with the extension in it, and a server of pages under any host name.
//
//   const browser = await start();
//   browser.serve('bank.example/login', html);
//   const tab = await browser.open('bank.example/login');
//
// All host names lead to this machine, and what is not served is 404: no test needs a network.

import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const house = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const folder = process.env.TWINSET_EXTENSION ?? path.join(house, 'build/extension');
const { chromium } = createRequire(path.join(house, 'extension/package.json'))('playwright-core');
const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((name) => fs.existsSync(name));

/** Waits until `look` gives something that is true, and gives that. */
export async function until(look, what, milliseconds = 10000) {
  const end = Date.now() + milliseconds;
  for (let last; ; ) {
    try {
      last = await look();
      if (last) return last;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`not in ${milliseconds} ms: ${what} (last: ${last})`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** `log`: a file for the browser's record of its requests. */
export async function start({ log } = {}) {
  const pages = new Map();
  const requests = [];
  const server = http.createServer((request, response) => {
    const place = request.headers.host.replace(/:\d+$/, '') + request.url.replace(/\?.*/, '');
    requests.push(place);
    const page = pages.get(place);
    if (page === undefined) {
      response.writeHead(404).end('no such page');
      return;
    }
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (typeof page === 'function') page(request, response);
    else response.end(page);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'twinset-extension-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: program, headless: false, viewport: { width: 1000, height: 800 }, acceptDownloads: true,
    ignoreDefaultArgs: ['--disable-extensions'],
    args: ['--headless=new', ...(process.getuid() === 0 ? ['--no-sandbox'] : []), `--disable-extensions-except=${folder}`,
      `--load-extension=${folder}`, '--host-resolver-rules=MAP * 127.0.0.1', '--no-first-run',
      ...(log === undefined ? [] : [`--log-net-log=${log}`])],
  });
  const worker = context.serviceWorkers()[0] ?? await context.waitForEvent('serviceworker', { timeout: 60000 });
  const extension = new URL(worker.url()).host;
  const at = (place) => `http://${place.replace('/', `:${port}/`)}`;
  const ours = await context.newPage();
  await ours.goto(`chrome-extension://${extension}/options.html`);
  const say = (message) => ours.evaluate((m) => chrome.runtime.sendMessage(m), message);

  const browser = {
    worker: () => context.serviceWorkers()[0],
    /** After stop(): the requests of the browser, and the origins that made them. */
    log() {
      const { constants, events } = JSON.parse(fs.readFileSync(log, 'utf8'));
      const types = new Set(['URL_REQUEST_START_JOB', 'CORS_REQUEST'].map((name) => constants.logEventTypes[name]));
      return events.filter(({ type, params }) => types.has(type) && params?.url !== undefined)
        .map(({ params }) => ({ url: params.url, initiator: params.initiator ?? '' }));
    },
    context, requests, port, say, at, ours, profile,
    page: (name) => `chrome-extension://${extension}/${name}`,
    serve: (place, page) => pages.set(place, page),
    /** The number that the browser has for a page. */
    async idOf(tab) {
      await tab.bringToFront();
      return ours.evaluate(async () => (await chrome.tabs.query({ active: true, currentWindow: true }))[0].id);
    },
    async open(place) {
      const tab = await context.newPage();
      await tab.goto(at(place));
      return tab;
    },
    async state(tab) {
      return say({ kind: 'state', tab: await browser.idOf(tab) });
    },
    /** Until the page was read `more` times after it was opened. */
    async checked(tab, more = 1, milliseconds = 10000) {
      const id = await browser.idOf(tab);
      return until(async () => {
        const state = await say({ kind: 'state', tab: id });
        return state.readings >= more && state;
      }, `the page at ${tab.url()} is checked`, milliseconds);
    },
    async remember(tab) {
      return say({ kind: 'remember', tab: await browser.idOf(tab) });
    },
    async blocked(tab, milliseconds = 10000) {
      await until(() => tab.url().includes('blocked.html'), `${tab.url()} is blocked`, milliseconds);
      await tab.waitForSelector('#back');
      return tab;
    },
    /** Nothing remembered, nothing allowed, no other tab. */
    async reset() {
      for (const tab of context.pages()) if (tab !== ours) await tab.close();
      pages.clear();
      await ours.evaluate(async () => {
        await chrome.storage.session.clear();
        const open = indexedDB.open('twinset', 1);
        const base = await new Promise((resolve, reject) => {
          open.onsuccess = () => resolve(open.result);
          open.onerror = reject;
        });
        const names = [...base.objectStoreNames];
        const all = base.transaction(names, 'readwrite');
        for (const name of names) all.objectStore(name).clear();
        await new Promise((resolve) => (all.oncomplete = resolve));
        base.close();
        await chrome.runtime.sendMessage({ kind: 'changed' });
      });
      await ours.goto(`chrome-extension://${extension}/options.html`);
    },
    async stop() {
      await context.close();
      server.closeAllConnections?.();
      server.close();
      fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return browser;
}

/** The page at which people log in at a bank that is none. */
export function loginPage({ spaces = ' ', extra = '', head = '', form = true } = {}) {
  const parts = ['Welcome to the Bank of the Northern Harbour, serving sailors since 1871.',
    'Please log in with your customer number and the password that you chose.',
    'We never ask for your password by mail or on the telephone, not even in an emergency.',
    'If you forgot your password, visit one of our branches with your identity card.',
    'Deposits of up to 85,000 shillings are protected by the Harbour Guarantee Fund.'];
  return `<!doctype html><html lang="en"><head><title>Northern Harbour</title>${head}</head><body><div id="main" class="a b">
${parts.map((text) => `<p>${text.replace(/ /g, spaces)}</p>`).join('\n')}
${form ? '<form><div><input name="number"><input type="password" name="secret"><button>Log in</button></div></form>' : ''}</div>${extra}</body></html>`;
}
