import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './source.mjs';

const { readLists: read, writeAuntieTuna, writeLines, ListError } = await source('lists');
const RULES = 'html(p,div,ends) text=3 xxh3(seed=0) least=26';
const AUNTIETUNA = 'auntietuna sha256 least=29';
const readLists = (text) => read(text, { auntietuna: AUNTIETUNA, digits: (line) => ({ [RULES]: 32, [AUNTIETUNA]: 64 })[line] ?? 0 });
const sha = (digit) => digit.repeat(64);
const xxh = (digit) => digit.repeat(32);
const header = JSON.stringify({ rules: RULES, hash: 'xxh3', labels: 2 });
const label = (hash, url, text) => JSON.stringify({ hash, kind: 'chunk', samples: [{ url }], text });

test('a list of AuntieTuna, and an array of such', () => {
  const list = { domain: 'www.paypal.com', last_updated: 'x', hashes: [sha('A'), sha('b')] };
  const [one] = readLists(JSON.stringify(list));
  assert.deepEqual({ site: one.site, rules: one.rules, hashes: one.hashes }, { site: 'paypal.com', rules: AUNTIETUNA, hashes: [sha('a'), sha('b')] });
  assert.deepEqual(readLists(`\ufeff ${JSON.stringify([list, { id: 7, domain: 'b.test', hashes: [sha('c')] }], null, 2)}`).map((read) => read.site), ['paypal.com', 'b.test']);
});

test('lines of twinset, by site', () => {
  const lists = readLists([header, label(xxh('1'), 'https://www.bank.example/login?x', 'Log in'), label(xxh('2'), 'bank.example', 'We'), '',
    label(xxh('3'), 'http://b.test/', undefined)].join('\r\n'));
  assert.deepEqual(lists.map(({ site, hashes, texts, place }) => ({ site, hashes, texts, place })), [
    { site: 'bank.example', hashes: [xxh('1'), xxh('2')], texts: ['Log in', 'We'], place: 'https://www.bank.example/login' },
    { site: 'b.test', hashes: [xxh('3')], texts: [undefined], place: 'http://b.test/' }]);
});

test('a damaged list is one message', () => {
  for (const [text, message] of [
    ['', /empty/],
    ['\u0000\u0001', /neither/],
    ['[{"domain": "a.test", "hashes": ["', /cut off/],
    ['{"domain": "a.test"}', /needs "domain" and an array "hashes"/],
    ['{"domain": "", "hashes": []}', /names no site/],
    [`{"domain": "a.test", "hashes": ["${sha('g')}"]}`, /hash 1, is damaged: "gggg/],
    [`{"domain": "a.test", "hashes": ["${sha('a')}", 7]}`, /hash 2, is damaged: 7 is no hash of 64/],
    ['{"domain": "a.test", "hashes": []}', /no parts/],
    ['[]', /no parts/],
    ['[null]', /needs "domain"/],
    [label(xxh('1'), 'a.test', ''), /Line 1 comes before/],
    [`${header}\n${label(xxh('1'), 'a.test', '')}\n{"hash": "12`, /Line 3 is damaged/],
    [`${header}\n{"hash": "${xxh('1')}"}`, /Line 2 names no site/],
    ['{"rules": "html(p,div) markup xxh3(seed=0) least=101", "hash": "xxh3"}', /Line 1 has the rules .*does not know/],
    [`${header}\n{"rules": "${AUNTIETUNA}"}`, /Line 2 has other rules/],
  ]) {
    assert.throws(() => readLists(text), (error) => error instanceof ListError && message.test(error.message), text.slice(0, 60));
  }
});

test('what is written is read again', () => {
  const page = { site: 'bank.example', place: 'https://bank.example/', added: 0, parts: [{ hash: xxh('2'), text: 'Two' }, { hash: xxh('1'), text: 'One "1"' }], auntietuna: [sha('b'), sha('a')] };
  const [lines] = readLists(writeLines([page, { ...page, place: 'https://bank.example/b' }], RULES));
  assert.deepEqual([lines.site, lines.hashes, lines.texts], ['bank.example', [xxh('1'), xxh('2')], ['One "1"', 'Two']]);
  const [list] = readLists(writeAuntieTuna([page]));
  assert.deepEqual([list.site, list.hashes], ['bank.example', [sha('a'), sha('b')]]);
});

test('a million hashes', () => {
  const hashes = Array.from({ length: 1e6 }, (_, i) => i.toString(16).padStart(64, '0'));
  assert.equal(readLists(JSON.stringify({ domain: 'a.test', hashes }))[0].hashes.length, 1e6);
});
