// The page around facts of the program itself: the report that `dedup` writes, and what `serve` answers. Needs TWINSET_BINARY.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assertQuiet, screenshot, settled, start, until, violations } from './browser.mjs';
import { randomOf, sentence } from './made.mjs';

const program = process.env.TWINSET_BINARY;
const skip = program === undefined && 'no program was built';

let browser;
let folder;
const run = (...words) => execFileSync(program, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Serves folders while `use` looks at them. */
async function served(folders, use) {
  const service = spawn(program, ['serve', ...folders, '--listen', '127.0.0.1:0'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => service.on('exit', (code) => resolve(code)));
  let said = '';
  service.stderr.on('data', (part) => {
    said += part;
  });
  try {
    await use(await until(() => /(http:\/\/127\.0\.0\.1:\d+\/)/.exec(said)?.[1], 'the service has begun'));
  } finally {
    service.kill('SIGTERM');
    assert.equal(await ended, 0, said);
  }
}

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

test('a report of the program: seen, decided, restored', { skip }, async () => {
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
  run('restore', 'clean', '--decisions', 'clean.decisions.jsonl', '-o', 'back');
  const back = fs.readFileSync(path.join(folder, 'back/in.jsonl'), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line).id);
  assert.deepEqual(back, [removed]);
  // Without scripts the numbers and lists are there.
  const plain = await browser.tabIn({ javaScriptEnabled: false });
  await plain.goto(place);
  const text = await plain.textContent('main');
  for (const told of ['Near-duplicates', '500', removed]) assert.ok(text.includes(told), told);
  assert.ok(await plain.locator('table').count() > 2);
  await screenshot(plain, 'twinset-report-plain');
});

test('copies that detect found: who reuses whom, in a report and served', { skip }, async () => {
  const known = Array.from({ length: 6 }, (_, i) => `<p>${sentence(randomOf(900 + i), 40)}`);
  const pages = [];
  for (let i = 0; i < 6; ++i) {
    pages.push({ url: `http://mirror.example/a/${i}`, text: known.slice(0, 4).join('') }, { url: `http://blog.example/${i}`, text: known[5] + `<p>${sentence(randomOf(i + 70), 40)}`.repeat(3) });
  }
  fs.writeFileSync(path.join(folder, 'known.jsonl'), `${JSON.stringify({ url: 'http://known.example/', text: known.join('') })}\n`);
  fs.writeFileSync(path.join(folder, 'crawl.jsonl'), `${pages.map((page) => JSON.stringify(page)).join('\n')}\n`);
  run('discover', '--from', 'known.jsonl', '--url', 'url', '--format', 'html', '-o', 'known.labels', '--quiet');
  run('detect', 'crawl.jsonl', '--url', 'url', '--format', 'html', '-L', 'known.labels', '-o', 'copies', '--report', 'copies.html', '--quiet');
  const look = async (tab, address) => {
    await settled(tab);
    const rows = await tab.locator('[aria-label="Who reuses whom"] tbody tr').allTextContents();
    assert.deepEqual(rows, ['mirror.example/known.example/1.000624', 'blog.example/known.example/1.00066']);
    await screenshot(tab, `twinset-neighborhoods-${address === 'file:' ? 'report' : 'live'}`);
    await tab.locator('.tile', { hasText: 'mirror.example/' }).first().focus();
    await tab.keyboard.press('Enter');
    await settled(tab);
    assert.match(await tab.textContent('.fact-line'), /6 of 6 pages hold labels/);
    assertQuiet(tab, address);
  };
  const tab = await browser.tabIn();
  await tab.goto(`${pathToFileURL(path.join(folder, 'copies.html')).href}#/neighborhoods`);
  await look(tab, 'file:');
  const plain = await browser.tabIn({ javaScriptEnabled: false });
  await plain.goto(pathToFileURL(path.join(folder, 'copies.html')).href);
  assert.match((await plain.locator('#reuse tr').allTextContents())[1], /mirror\.example\/.*known\.example\/.*1\.000.*6.*24/);
  await served(['copies'], async (address) => look(await browser.openLive(address, '#/neighborhoods'), address));
});

test('a page on which to judge: its file is what judge counts', { skip }, async () => {
  run('cluster', 'in.jsonl', '-o', 'groups', '--quiet');
  run('judge', 'groups', '--judge', 'ann', '--sample', '5', '-o', 'groups.judged', '--page', 'judge.html');
  const tab = await browser.tabIn();
  await tab.goto(pathToFileURL(path.join(folder, 'judge.html')).href);
  await tab.waitForSelector('.sides');
  assert.deepEqual(await violations(tab), []);
  await screenshot(tab, 'twinset-judge');
  for (const key of 'ssdus') await tab.keyboard.press(key);
  const [download] = await Promise.all([tab.waitForEvent('download'), tab.getByRole('button', { name: 'save the file' }).click()]);
  await download.saveAs(path.join(folder, download.suggestedFilename()));
  assert.match(run('judge', 'groups.judged', '--table'), /^ann judged 5 of 5 pairs sampled from groups[^]*all +\d+ +5 +5 +3 +1 +1 /);
  assertQuiet(tab, 'file:');
  const plain = await browser.tabIn({ javaScriptEnabled: false });
  await plain.goto(pathToFileURL(path.join(folder, 'judge.html')).href);
  assert.equal(await plain.locator('article').count(), 5);
});

test('a run and an index, served', { skip }, async () => {
  run('index', 'create', 'crawl.index', '--texts');
  run('index', 'add', 'crawl.index', 'in.jsonl', '--url', 'url', '--quiet');
  await served(['clean', 'crawl.index'], async (address) => {
    const tab = await browser.openLive(address, '#/clusters');
    await settled(tab);
    assert.match(await tab.textContent('.counted'), /^100 clusters with 400 documents/);
    await tab.getByRole('searchbox').fill('story-42-');
    await until(async () => /^1 cluster with 4 documents/.test(await tab.textContent('.counted')), 'the cluster is found');
    await tab.getByRole('grid').focus();
    await tab.keyboard.press('Enter');
    await settled(tab);
    assert.equal(await tab.locator('.members > li').count(), 4);
    assert.equal(await tab.locator('.edge').count(), 3);
    await tab.locator('.members > li').nth(2).getByRole('button', { name: 'Keep' }).click();
    const file = path.join(folder, 'clean.decisions.jsonl');
    await until(() => fs.readFileSync(file, 'utf8').trimEnd().split('\n').some((line) => JSON.parse(line).id === 'story-42-2' && JSON.parse(line).decision === 'restore'), 'the decision is in its file');
    await tab.getByRole('link', { name: /story-42-3/ }).click();
    await settled(tab);
    assert.match(await tab.textContent('.sides'), /version3/);
    for (const place of ['#/overview', '#/map', '#/map?by=source', '#/lists', '#/list/removed', '#/record?name=story-42-2', '#/decisions', '#/paste']) {
      await browser.go(tab, place);
      assert.equal(await tab.locator('.failure').count(), 0, `${place}: ${await tab.locator('.failure').allTextContents()}`);
      await screenshot(tab, `twinset-${place.replace(/\W+/g, '-').slice(1)}-light`);
    }
    await tab.getByLabel('Text').fill(`some new words before it: ${sentence(randomOf(43), 160)}`);
    await tab.getByRole('button', { name: 'Find' }).click();
    await tab.getByRole('button', { name: 'Side by side' }).first().click();
    await tab.waitForSelector('.sides .row.same');
    assert.match(await tab.locator('.items > li').first().textContent(), /story-42-0/);
    assertQuiet(tab, address);
  });
});
