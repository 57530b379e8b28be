import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source } from './source.mjs';

const { judge, sureness } = await source('judge');
const { hostOf, hostOfDocument, placeOf, siteOf } = await source('sites');
const known = (id, site, hashes) => ({ id, site, size: hashes.length, has: (hash) => hashes.includes(hash) });
const bank = known('1', 'bank.example', ['a', 'b', 'c', 'd']);
const post = known('2', 'post.example', ['d', 'e']);
const one = { mode: 'one', share: 20 };
const none = new Set();

test('one part of another site is enough', () => {
  const [found, ...more] = judge(['x', 'a', 'a', 'b'], 'evil.example', [bank, post], none, one);
  assert.deepEqual({ id: found.id, matched: found.matched, share: found.share, more }, { id: '1', matched: ['a', 'b'], share: 0.5, more: [] });
  assert.deepEqual(judge(['x', 'y'], 'evil.example', [bank, post], none, one), []);
});

test('the own site, and sites that are known to be alike, are not imitated', () => {
  assert.deepEqual(judge(['a'], 'bank.example', [bank], none, one), []);
  assert.deepEqual(judge(['a'], 'evil.example', [bank], new Set(['bank.example']), one), []);
});

test('a part that is remembered of both sites tells nothing', () => {
  assert.deepEqual(judge(['d'], 'post.example', [bank, post], none, one), []);
  assert.equal(judge(['d', 'a'], 'post.example', [bank, post], none, one)[0].matched.join(), 'a');
});

test('a share of the remembered page', () => {
  const share = (least) => ({ mode: 'share', share: least });
  assert.equal(judge(['a', 'b'], 'evil.example', [bank], none, share(50)).length, 1);
  assert.equal(judge(['a', 'b'], 'evil.example', [bank], none, share(51)).length, 0);
});

test('the likeliest page is first', () => {
  assert.deepEqual(judge(['a', 'b', 'e'], 'evil.example', [post, bank], none, one).map(({ id }) => id), ['1', '2']);
});

test('how sure it is', () => {
  assert.equal(sureness(9, 12, false), 'Very sure: 9 parts of 12 are the same, word for word.');
  assert.equal(sureness(4, 12, false), 'Sure: 4 parts of 12 are the same, word for word.');
  assert.equal(sureness(1, 2, false), 'Not very sure: one part of 2 is the same, word for word. It may be a quotation.');
  assert.equal(sureness(1, 1, false), 'Very sure: one part of 1 is the same, word for word.');
  assert.equal(sureness(2, 300, true), 'Sure: 2 parts of 300 are the same, word for word.');
});

test('sites are registered domains; addresses and public suffixes are their own', () => {
  for (const [host, site] of [['www.bank.co.uk', 'bank.co.uk'], ['bank.co.uk.evil.com', 'evil.com'], ['a.github.io', 'a.github.io'],
    ['b.a.github.io', 'a.github.io'], ['github.io', 'github.io'], ['Login.Bank.Example.', 'bank.example'], ['localhost', 'localhost'],
    ['192.168.0.1', '192.168.0.1'], ['[::1]', '[::1]'], ['xn--bnk-0na.example', 'xn--bnk-0na.example'], ['', '']]) {
    assert.equal(siteOf(host), site, host);
  }
});

test('hosts of documents', () => {
  assert.equal(hostOf('https://user@www.bank.example:8080/x'), 'www.bank.example');
  for (const url of ['about:blank', 'null', '', 'file:///tmp/x.html', 'data:text/html,x', 'javascript:1']) assert.equal(hostOf(url), '', url);
  assert.equal(hostOfDocument('about:srcdoc', 'https://a.example', []), 'a.example');
  assert.equal(hostOfDocument('about:srcdoc', 'null', ['null', 'https://b.example']), 'b.example');
  assert.equal(hostOfDocument('blob:https://a.example/1', 'https://a.example', []), 'a.example');
  assert.equal(placeOf('https://me:pw@bank.example/login?session=1#x'), 'https://bank.example/login');
});
