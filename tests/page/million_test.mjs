// A run of a million clusters: the first view within a second, and scrolling that does not stall.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settled, start, until } from './browser.mjs';
import { serve } from './server.mjs';

const clusters = 1_000_000;

let browser;
let server;
before(async () => {
  browser = await start();
  server = await serve({ clusters });
  server.warm();
});
after(async () => {
  await browser?.stop();
  server?.stop();
});

async function openClusters() {
  const tab = await browser.tabIn();
  await tab.goto(`${server.address}#/clusters`);
  await tab.waitForSelector('.v-row:not(.unknown)');
  return tab;
}

const rowsShown = (tab) => tab.$$eval('.v-row', (rows) => {
  const pane = document.querySelector('.v-pane').getBoundingClientRect();
  return rows.filter((row) => row.getBoundingClientRect().bottom > pane.top + 30 && row.getBoundingClientRect().top < pane.bottom).map((row) => Number(row.getAttribute('aria-rowindex')) - 2);
});

test('the first view takes less than a second', async () => {
  const times = [];
  for (let i = 0; i < 3; ++i) {
    const tab = await browser.tabIn();
    await tab.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (document.querySelector('.v-row:not(.unknown)')) {
          observer.disconnect();
          requestAnimationFrame(() => {
            window.firstView = performance.now();
          });
        }
      }).observe(document, { childList: true, subtree: true });
    });
    await tab.goto(`${server.address}#/clusters`);
    times.push(await until(() => tab.evaluate(() => window.firstView), 'the first rows'));
    assert.match(await tab.textContent('.counted'), /^1,000,000 clusters with 4,000,000 documents/);
    await tab.context().close();
  }
  console.log(`first view of ${clusters} clusters: ${times.map((time) => time.toFixed(0)).join(', ')} ms`);
  assert.ok(Math.min(...times) < 1000, `${times}`);
});

test('scrolling: few elements, few requests, no stall', async () => {
  const tab = await openClusters();
  await tab.evaluate(() => {
    window.frames_ = [];
    let last = performance.now();
    const frame = (now) => {
      window.frames_.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await tab.hover('.v-pane');
  const before = server.asked.length;
  for (let i = 0; i < 40; ++i) {
    await tab.mouse.wheel(0, 400);
    await new Promise((resolve) => setTimeout(resolve, 16));
  }
  await settled(tab);
  const shown = await rowsShown(tab);
  assert.ok(Math.abs(shown[0] - (40 * 400) / 52) < 6, `the wheel moves by its own pixels: row ${shown[0]}`);
  assert.ok(await tab.locator('.v-row').count() < 60, 'rows in sight alone are in the page');
  assert.ok(server.asked.length - before < 12, `${server.asked.length - before} requests for 40 turns of the wheel`);
  const frames = (await tab.evaluate(() => window.frames_)).sort((a, b) => a - b);
  const late = frames[Math.floor(0.95 * frames.length)];
  console.log(`frames while scrolling: median ${frames[frames.length >> 1].toFixed(1)} ms, 95 % ${late.toFixed(1)} ms, longest ${frames[frames.length - 1].toFixed(1)} ms`);
  assert.ok(late < 100, `${late} ms`);
});

test('jumps: the end, the middle, and back', async () => {
  const tab = await openClusters();
  await tab.getByRole('grid').focus();
  await tab.keyboard.press('End');
  await settled(tab);
  assert.equal((await rowsShown(tab)).pop(), clusters - 1);
  assert.equal(await tab.getAttribute('[role=grid]', 'aria-activedescendant'), `row-${clusters - 1}`);
  await tab.keyboard.press('ArrowUp');
  await tab.keyboard.press('Home');
  await settled(tab);
  assert.equal((await rowsShown(tab))[0], 0);
  // A dragged scroll bar passes many places, of which only the last one is asked for.
  const before = server.asked.length;
  await tab.evaluate(async () => {
    const pane = document.querySelector('.v-pane');
    for (let i = 1; i <= 30; ++i) {
      pane.scrollTop = ((pane.scrollHeight - pane.clientHeight) * i) / 60;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
  await settled(tab);
  const middle = (await rowsShown(tab))[0];
  assert.ok(Math.abs(middle - clusters / 2) < clusters / 200, `the middle is row ${middle}`);
  assert.ok(server.asked.length - before <= 6, `${server.asked.length - before} requests for a drag`);
  // From there on by pixels again.
  await tab.hover('.v-pane');
  await tab.mouse.wheel(0, 520);
  await until(async () => (await rowsShown(tab))[0] === middle + 10 || (await rowsShown(tab))[0] === middle + 9 || (await rowsShown(tab))[0] === middle + 11, 'ten rows further');
  await tab.getByRole('grid').focus();
  await tab.keyboard.press('PageDown');
  await settled(tab);
});
