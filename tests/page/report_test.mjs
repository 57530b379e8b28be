// A report in one file, opened from disk.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { assertQuiet, looks, screenshot, settled, start, until, violations } from './browser.mjs';
import { dedupFacts, detectFacts } from './made.mjs';

const views = { overview: '#/overview', map: '#/map', clusters: '#/clusters', cluster: '#/cluster/1', pairs: '#/pairs', pair: '#/pair/pairs-1', decisions: '#/decisions', nowhere: '#/nowhere' };

let browser;
before(async () => {
  browser = await start();
});
after(() => browser?.stop());

// Few elements of each kind: axe-core takes its time for each.
test('every view is accessible and fits: light, dark, narrow', async () => {
  const tab = await browser.openFile(dedupFacts({ clusters: 3, members: 2, marks: 4 }));
  for (const [look, change] of Object.entries(looks)) {
    await change(tab);
    for (const [name, place] of Object.entries(views)) {
      await browser.go(tab, place);
      assert.deepEqual(await violations(tab, look), [], `${name}, ${look}`);
      assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0, `${name} needs no scrolling sideways`);
      await screenshot(tab, `report-${name}-${look}`);
    }
  }
  assertQuiet(tab);
});

test('neighborhoods of reuse, with the bands and tables of who reuses whom', async () => {
  const tab = await browser.openFile(detectFacts());
  for (const [look, change] of Object.entries(looks)) {
    await change(tab);
    for (const place of ['#/neighborhoods', '#/neighborhoods?at=mirror1.example%2F']) {
      await browser.go(tab, place);
      assert.deepEqual(await violations(tab, look), [], `${place}, ${look}`);
      assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0, `${place} needs no scrolling sideways`);
    }
  }
  assert.match(await tab.textContent('.fact-line'), /badness 0\.800 · 48 of 58 pages/);
  assert.equal(await tab.locator('.band').count(), 3, 'of the site alone');
  assert.deepEqual(await tab.locator('.items .id').allTextContents(), ['http://mirror1.example/2.html', 'http://mirror1.example/news/3.html']);
  await tab.getByRole('link', { name: 'mirror1.example/news/' }).last().click();
  await settled(tab);
  await tab.getByRole('link', { name: 'mirror1.example/', exact: true }).first().click();
  await settled(tab);
  assert.match(await tab.textContent('h1'), /^mirror1\.example\/$/);
  assertQuiet(tab);
});

test('the overview has each kind of fact', async () => {
  const tab = await browser.openFile(dedupFacts());
  const text = await tab.textContent('.sections');
  for (const told of ['1,234,567', '72.9 %', '200,000', '1.23 GB', '1 min 33 s', 'minhash(hashes=128, bands=16)', 'lowest resemblance 0.800']) assert.ok(text.includes(told), told);
  assert.equal(await tab.locator('.bar').count(), 14 + 21);
  assert.equal(await tab.locator('.dots').count(), 2);
  assert.equal(await tab.locator('.tile').count(), 40);
  assert.equal(await tab.locator('#shapes .node').count(), 24);
  assert.equal(await tab.locator('#pairs li').count(), 16);
  assert.equal(await tab.locator('[role=note]').textContent(), '2 inputs have no record.');
});

test('by keyboard: find a cluster, open a pair, decide, undo', async () => {
  const tab = await browser.openFile(dedupFacts(), '#/clusters');
  await settled(tab);
  await tab.getByRole('searchbox').focus();
  await tab.keyboard.type('kept-3');
  await until(async () => /^1 cluster with/.test(await tab.textContent('.counted')), 'the search has found one');
  assert.match(tab.url(), /search=kept-3/);
  for (let i = 0; i < 8 && !(await tab.evaluate(() => document.activeElement?.getAttribute('role') === 'grid')); ++i) await tab.keyboard.press('Tab');
  await tab.keyboard.press('Enter');
  await settled(tab);
  assert.equal(await tab.textContent('h1'), 'Cluster 4 340 documents');
  assert.equal(await tab.evaluate(() => document.activeElement?.tagName), 'H1', 'the heading has the focus');
  await tab.getByRole('link', { name: 'side by side', exact: true }).first().focus();
  await tab.keyboard.press('Enter');
  await settled(tab);
  assert.match(tab.url(), /#\/pair\/pairs-4$/);
  const keep = tab.getByRole('button', { name: 'Keep', exact: true });
  await keep.focus();
  await tab.keyboard.press('Space');
  assert.equal(await keep.getAttribute('aria-pressed'), 'true');
  assert.equal(await tab.textContent('.said'), 'removed-400 will be kept.');
  await tab.keyboard.press('u');
  assert.equal(await keep.getAttribute('aria-pressed'), 'false');
  await tab.keyboard.press('r');
  assert.equal(await tab.getByRole('button', { name: 'Remove', exact: true }).getAttribute('aria-pressed'), 'true');
  await tab.keyboard.press('Control+z');
  await tab.keyboard.press('Control+Shift+Z');
  assert.equal(await tab.textContent('.said'), 'Done again: /data/news/2026-05.jsonl.zst:2801.');
  await tab.keyboard.press('n');
  await settled(tab);
  assert.match(tab.url(), /#\/pair\/pairs-5$/);
  await tab.goBack();
  await settled(tab);
  await tab.goBack();
  await settled(tab);
  assert.equal(await tab.textContent('h1'), 'Cluster 4 340 documents');
  await tab.goBack();
  await settled(tab);
  assert.equal(await tab.getByRole('searchbox').inputValue(), 'kept-3');
  assertQuiet(tab);
});

test('decisions outlive the tab, and are downloaded as lines', async () => {
  const tab = await browser.openFile(dedupFacts(), '#/cluster/1');
  await settled(tab);
  await tab.getByRole('group', { name: 'Decision about removed-100' }).getByRole('button', { name: 'Keep' }).click();
  await tab.getByRole('group', { name: 'Decision about removed-101' }).getByRole('button', { name: 'Remove' }).click();
  await tab.reload();
  await settled(tab);
  await browser.go(tab, '#/decisions');
  const [download] = await Promise.all([tab.waitForEvent('download'), tab.getByRole('link', { name: /^Download/ }).click()]);
  assert.equal(download.suggestedFilename(), 'clean.decisions.jsonl');
  const lines = fs.readFileSync(await download.path(), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ time, ...rest }) => [rest, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time)]), [
    [{ record: '/data/news/2026-05.jsonl.zst:701', id: 'removed-100', file: '/data/news/2026-05.jsonl.zst', number: 701, decision: 'restore' }, true],
    [{ record: '/data/news/2026-06.jsonl.zst:708', id: 'removed-101', file: '/data/news/2026-06.jsonl.zst', number: 708, decision: 'remove' }, true],
  ]);
  await tab.getByRole('button', { name: 'Take back the decision about removed-100' }).click();
  assert.equal(await tab.locator('.items > li').count(), 1);
  await tab.getByRole('button', { name: 'Undo' }).click();
  assert.equal(await tab.locator('.items > li').count(), 2);
  assertQuiet(tab);
});

test('where storage is forbidden, decisions last as long as the page', async () => {
  const tab = await browser.tabIn();
  await tab.addInitScript(() => Object.defineProperty(window, 'localStorage', { get() {
    throw new DOMException('forbidden', 'SecurityError');
  } }));
  const other = await browser.openFile(dedupFacts());
  await tab.goto(`${other.url().split('#')[0]}#/cluster/1`);
  await tab.waitForSelector('h1');
  await settled(tab);
  await tab.getByRole('group', { name: 'Decision about removed-100' }).getByRole('button', { name: 'Keep' }).click();
  await browser.go(tab, '#/decisions');
  assert.equal(await tab.locator('.items > li').count(), 1);
  assertQuiet(tab);
});
