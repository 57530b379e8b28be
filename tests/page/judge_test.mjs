// The page on which to judge: by keyboard, kept by the browser, saved as the judged file.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { assertQuiet, looks, screenshot, start, violations } from './browser.mjs';
import { judgeFacts } from './made.mjs';

let browser;
before(async () => {
  browser = await start();
});
after(() => browser?.stop());

async function saved(tab) {
  const [download] = await Promise.all([tab.waitForEvent('download'), tab.getByRole('button', { name: 'save the file' }).click()]);
  assert.equal(download.suggestedFilename(), 'groups.judged');
  return fs.readFileSync(await download.path(), 'utf8').replace(/"at": "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g, '"at": NOW');
}
const state = (tab) => tab.textContent('.counted');

test('pairs and labels are accessible and fit: light, dark, narrow', async () => {
  for (const kind of ['pairs', 'labels']) {
    const tab = await browser.openFile(judgeFacts({ kind }));
    for (const [look, change] of Object.entries(looks)) {
      await change(tab);
      assert.deepEqual(await violations(tab, look), [], `${kind}, ${look}`);
      assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0);
      await screenshot(tab, `judge-${kind}-${look}`);
    }
    // Nothing lies under the buttons for good.
    await tab.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    assert.ok(await tab.evaluate(() => document.querySelector('.sides').getBoundingClientRect().bottom <= document.querySelector('.verdicts').getBoundingClientRect().top));
    assert.equal(await tab.locator('.marks').count(), kind === 'pairs' ? 1 : 0);
    assertQuiet(tab);
  }
});

test('by keyboard: verdicts, back, another verdict, saved', async () => {
  const tab = await browser.openFile(judgeFacts());
  assert.match(await state(tab), /^1 of 3 · 0 judged$/);
  assert.equal(await tab.getByRole('button', { name: 'save the file' }).isDisabled(), true);
  await tab.keyboard.press('s');
  await tab.keyboard.press('D');
  assert.match(await state(tab), /^3 of 3 · 2 judged$/);
  await tab.keyboard.press('b');
  assert.equal(await tab.getByRole('button', { name: 'different' }).getAttribute('aria-pressed'), 'true');
  await tab.keyboard.press('u');
  assert.match(await state(tab), /^3 of 3 · 2 judged$/, 'on to the next one without a verdict');
  await tab.keyboard.press('Control+s');
  await tab.keyboard.press('x');
  assert.match(await state(tab), /^3 of 3 · 2 judged$/, 'no other key is a verdict');
  const two = '{"twinset": "judged", "sampled": 3}\n{"a": {"id": "a0"}, "b": {"id": "b0"}, "value": 0.9, "verdict": "same", "judge": "ann", "at": NOW}\n{"a": {"id": "a1"}, "b": {"id": "b1"}, "value": 0.9, "verdict": "unclear", "judge": "ann", "at": NOW}\n';
  assert.equal(await saved(tab), two);
  // The browser has kept them.
  await tab.reload();
  await tab.waitForSelector('h1');
  assert.match(await state(tab), /^3 of 3 · 2 judged$/);
  await tab.keyboard.press('ArrowLeft');
  assert.match(await state(tab), /^2 of 3/);
  await tab.keyboard.press('ArrowRight');
  await tab.getByRole('button', { name: 'same' }).click();
  assert.match(await state(tab), /^3 of 3 · 3 judged · all judged: save the file$/);
  assert.equal((await saved(tab)).split('\n').length, 5);
  assertQuiet(tab);
});

test('where storage is forbidden, the page says that it must be saved', async () => {
  const other = await browser.openFile(judgeFacts());
  const tab = await browser.tabIn();
  await tab.addInitScript(() => Object.defineProperty(window, 'localStorage', { get() {
    throw new DOMException('forbidden', 'SecurityError');
  } }));
  await tab.goto(other.url());
  await tab.waitForSelector('h1');
  await tab.keyboard.press('s');
  assert.match(await state(tab), /this browser keeps nothing: save before you leave/);
  await saved(tab);
  assert.doesNotMatch(await state(tab), /keeps nothing/);
  assertQuiet(tab);
});
