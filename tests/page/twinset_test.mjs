// The page around facts of the program itself: the report that `dedup` writes. Needs TWINSET_BINARY.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assertQuiet, screenshot, start, violations } from './browser.mjs';
import { randomOf, sentence } from './made.mjs';

const program = process.env.TWINSET_BINARY;
const skip = program === undefined && 'no program was built';

let browser;
let folder;
const run = (...words) => execFileSync(program, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

before(async () => {
  browser = await start();
  if (program === undefined) return;
  folder = path.join(browser.folder, 'run');
  fs.mkdirSync(folder);
  // 200 texts, of which every second one has three more versions.
  const lines = [];
  for (let i = 0; i < 200; ++i) {
    const words = sentence(randomOf(i + 1), 160).split(' ');
    for (let version = 0; version < (i % 2 === 0 ? 4 : 1); ++version) {
      const text = [...words];
      if (version > 0) text.splice(20 * version, version, `version${version}`, 'came', 'later');
      lines.push(JSON.stringify({ id: `story-${i}-${version}`, url: `https://site${i % 7}.example/${i}/${version}`, text: text.join(' ') }));
    }
  }
  fs.writeFileSync(path.join(folder, 'in.jsonl'), `${lines.join('\n')}\n`);
  run('dedup', 'in.jsonl', '-o', 'clean', '--report', 'clean.html', '--quiet');
});
after(() => browser?.stop());

test('a report of the program: seen and decided', { skip }, async () => {
  const tab = await browser.tabIn();
  const place = pathToFileURL(path.join(folder, 'clean.html')).href;
  await tab.goto(`${place}#/overview`);
  await tab.waitForSelector('.cards');
  assert.match(await tab.textContent('h1'), /^Near-duplicates: clean/);
  assert.deepEqual(await violations(tab), []);
  await screenshot(tab, 'twinset-report-light');
  await browser.go(tab, '#/map');
  assert.ok(await tab.locator('.tile').count() > 10);
  await browser.go(tab, '#/pair/pairs-1');
  assert.ok(await tab.locator('.row.diff del, .row.diff ins').count() > 0);
  const removed = await tab.locator('.row.head .side.b .id').textContent();
  await tab.getByRole('button', { name: 'Keep', exact: true }).click();
  await browser.go(tab, '#/decisions');
  const [download] = await Promise.all([tab.waitForEvent('download'), tab.getByRole('link', { name: /^Download/ }).click()]);
  await download.saveAs(path.join(folder, 'clean.decisions.jsonl'));
  assertQuiet(tab, place);
  assert.deepEqual(fs.readFileSync(path.join(folder, 'clean.decisions.jsonl'), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line)).map(({ record, id, file, number, decision }) => [record === `${file}:${number}`, id, file, decision]), [[true, removed, 'in.jsonl', 'restore']]);
  // Without scripts the numbers and lists are there.
  const plain = await browser.tabIn({ javaScriptEnabled: false });
  await plain.goto(place);
  const text = await plain.textContent('main');
  for (const told of ['Near-duplicates', '500', removed]) assert.ok(text.includes(told), told);
  assert.ok(await plain.locator('table').count() > 2);
  await screenshot(plain, 'twinset-report-plain');
});
