// Lists in and out, and what leaves the browser: nothing.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { loginPage, start, until } from './browser.mjs';

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'twinset-lists-'));
const twinset = process.env.TWINSET_BINARY && path.resolve(process.env.TWINSET_BINARY);
let browser;
before(async () => {
  browser = await start({ log: path.join(scratch, 'requests.json') });
});
after(async () => {
  await browser?.stop();
  fs.rmSync(scratch, { recursive: true, force: true });
});
afterEach(() => browser.reset());

const said = (text) => until(async () => text.test(await browser.ours.textContent('#said')), `the options say ${text}`);
async function imports(name, content) {
  const file = path.join(scratch, name);
  fs.writeFileSync(file, content);
  await browser.ours.setInputFiles('#file', file);
}
async function exported(button) {
  const [download] = await Promise.all([browser.ours.waitForEvent('download'), browser.ours.click(button)]);
  return fs.readFileSync(await download.path(), 'utf8');
}
async function rememberBank() {
  browser.serve('www.bank.example/login', loginPage());
  const tab = await browser.open('www.bank.example/login');
  const { done, text } = await browser.remember(tab);
  assert.ok(done, text);
  await browser.ours.reload();
  await until(async () => /bank\.example/.test(await browser.ours.textContent('#known')), 'the options show the bank');
}
async function forgetAll() {
  await browser.ours.click('#known button');
  await said(/forgotten/);
}

test('exported and imported as lines of twinset', async () => {
  await rememberBank();
  const lines = await exported('#export-lines');
  assert.equal(lines.trim().split('\n').length, 6);
  assert.match(lines, /"text":"We never ask for your password/);
  if (twinset === undefined) console.log('TWINSET_BINARY is unset: the program does not read the list here');
  else {
    fs.writeFileSync(path.join(scratch, 'bank.jsonl'), lines);
    const run = (...words) => spawnSync(twinset, words, { cwd: scratch, encoding: 'utf8' });
    const read = run('labels', 'import', 'bank.jsonl', '-o', 'bank.labels');
    assert.equal(read.status, 0, read.stderr);
    const shown = run('labels', 'show', 'bank.labels', '--json').stdout.trim().split('\n').map((line) => JSON.parse(line));
    assert.deepEqual(shown.slice(1).map(({ hash, text }) => ({ hash, text })),
      lines.trim().split('\n').slice(1).map((line) => JSON.parse(line)).map(({ hash, text }) => ({ hash, text })));
    // The central check of pages from mail knows them, too.
    fs.writeFileSync(path.join(scratch, 'mail.jsonl'), JSON.stringify({ url: 'http://evil.example/', text: loginPage() }) + '\n' +
      JSON.stringify({ url: 'https://my.bank.example/', text: loginPage() }) + '\n');
    const central = run('phish', 'bank.labels', 'mail.jsonl', '--format', 'html');
    assert.match(central.stdout, /http:\/\/evil\.example\/ imitates http:\/\/www\.bank\.example:\d+\/login: 5 of \d+ parts/, central.stderr);
    assert.match(central.stdout, /1\s+page imitates a known one/);
    await imports('shown.jsonl', run('labels', 'show', 'bank.labels', '--json').stdout);
    await said(/Imported shown\.jsonl: 5 parts of 1 site\./);
    await forgetAll();
  }
  await forgetAll();
  await imports('bank.jsonl', lines);
  await said(/Imported bank\.jsonl: 5 parts of 1 site\./);
  browser.serve('evil.example/', loginPage({ spaces: '  ' }));
  const tab = await browser.open('evil.example/');
  await browser.blocked(tab);
  assert.match(await tab.textContent('.sites'), /bank\.example/);
});

test('exported and imported as lists of AuntieTuna', async () => {
  await rememberBank();
  const list = await exported('#export-auntietuna');
  assert.equal(JSON.parse(list)[0].domain, 'bank.example');
  await forgetAll();
  await imports('auntietuna.json', list);
  await said(/Imported auntietuna\.json: \d+ parts of 1 site\./);
  browser.serve('www.bank.example/', loginPage());
  const own = await browser.open('www.bank.example/');
  await browser.checked(own);
  assert.match(own.url(), /bank\.example/);
  browser.serve('evil.example/', loginPage());
  const tab = await browser.open('evil.example/');
  await browser.blocked(tab);
  assert.match(await tab.textContent('h1'), /This is not bank\.example/);
});

test('a damaged list changes nothing', async () => {
  await rememberBank();
  const before = await browser.ours.textContent('#known');
  for (const [content, message] of [['{"domain": "x.test", "hashes": ["12', /bad\.json was not imported, and nothing was changed\. .*cut off/],
    [`[{"domain":"a.test","hashes":["${'a'.repeat(64)}"]},{"domain":"b.test","hashes":[1]}]`, /nothing was changed\. List 2, hash 1, is damaged/]]) {
    await imports('bad.json', content);
    await said(message);
    assert.equal(await browser.ours.textContent('#known'), before);
  }
});

test('a list of a million parts', async () => {
  const hashes = Array.from({ length: 1e6 }, (_, i) => (BigInt(i) * 0x9e3779b97f4a7c15f39cc0605cedc835n % (1n << 256n)).toString(16).padStart(64, '0'));
  await imports('million.json', JSON.stringify({ domain: 'bank.example', hashes }));
  await until(async () => /Imported million\.json: 1,000,000 parts/.test(await browser.ours.textContent('#said')), 'a million are imported', 60000);
  await browser.say({ kind: 'changed' });
  const began = Date.now();
  await browser.say({ kind: 'state', tab: 0 });
  const loaded = Date.now() - began;
  console.log(`a list of 1,000,000 parts: loaded in ${loaded} ms`);
  assert.ok(loaded < 1500, `${loaded} ms`);
  browser.serve('evil.example/', loginPage());
  const tab = await browser.open('evil.example/');
  await browser.checked(tab);
  assert.match(tab.url(), /evil\.example/);
});

test('the extension makes no request, and could make none', async () => {
  await rememberBank();
  const tries = async (page) => page.evaluate(async (url) => {
    const answers = [await fetch(url).then(() => 'sent', () => 'refused')];
    if (typeof WebSocket === 'function') {
      answers.push(await new Promise((resolve) => {
        try {
          const socket = new WebSocket(url.replace('http', 'ws'));
          socket.onerror = () => resolve('refused');
          socket.onopen = () => resolve('sent');
        } catch {
          resolve('refused');
        }
      }));
    }
    return answers;
  }, browser.at('sink.example/'));
  assert.deepEqual(await tries(browser.ours), ['refused', 'refused']);
  assert.deepEqual(await tries(browser.worker()), ['refused', 'refused']);
  assert.ok(!browser.requests.some((place) => place.startsWith('sink.example')));
  browser.serve('evil.example/', loginPage({ extra: '<img src="http://tracker.example/a.png">' }));
  const tab = await browser.open('evil.example/');
  await browser.blocked(tab);
  await tab.waitForTimeout(500);
  // The browser's own record of all requests, whoever made them.
  const id = new URL(browser.page('')).host;
  const extension = `chrome-extension://${id}`;
  const tracker = (log) => log.filter((entry) => entry.url.includes('tracker.example') && entry.initiator.startsWith(extension));
  await browser.stop();
  const log = browser.log();
  assert.ok(log.some((entry) => entry.url.includes('evil.example')), 'the record has the pages of this test');
  assert.deepEqual(tracker(log), []);
  const made = log.filter((entry) => entry.initiator.startsWith(extension) && !/^(chrome-extension|blob):/.test(entry.url));
  assert.deepEqual(made, []);
  browser = await start();
});
