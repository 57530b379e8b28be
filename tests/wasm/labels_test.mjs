// Sets of hashes: whatever order they come in, what is damaged is refused, and a million are found.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';

import { CoreError, Labels } from './setup.mjs';

const hashes = (count, digits = 32) =>
  Array.from({ length: count }, (_, i) => createHash('sha256').update(`${i}`).digest('hex').slice(0, digits));

test('labels are a set, in whatever order they come', () => {
  for (const digits of [32, 40, 64]) {
    const all = hashes(2000, digits);
    // Hashes that differ in their last digit alone, and one in capitals.
    for (let i = 0; i < 16; ++i) all.push('a'.repeat(digits - 1) + i.toString(16));
    const labels = Labels.from([...all, ...all.slice(100, 300).reverse(), all[5].toUpperCase()]);
    assert.equal(labels.size, all.length);
    assert.ok(all.every((hash) => labels.has(hash)));
    assert.ok(!labels.has('b'.repeat(digits)) && !labels.has('0'.repeat(digits)) && !labels.has('f'.repeat(digits)));
    assert.ok(!labels.has('') && !labels.has(all[0].slice(2)) && !labels.has(all[0].slice(1) + 'x'));
    assert.deepEqual(Labels.from([...all].sort()).toBytes(), labels.toBytes());
    assert.deepEqual(Labels.from([...all].sort().reverse()).toBytes(), labels.toBytes());
  }
  assert.equal(Labels.from([]).size, 0);
  assert.ok(!Labels.from([]).has('0'.repeat(32)));
});

test('what is no hash is refused by its place', () => {
  for (const [bad, message] of [
    [['0'.repeat(31)], /label 1, "0+", is not a hash of 32, 40 or 64 /],
    [['0'.repeat(32), '0'.repeat(40)], /label 2, .* of 32, as those before it/],
    [['0'.repeat(32), 'g'.repeat(32)], /label 2/],
    [['0'.repeat(31) + '\u0661'], /label 1/],
    [['0'.repeat(32), 7], /label 2 is not a string/],
  ]) {
    assert.throws(() => Labels.from(bad), { code: 'labels', message });
  }
});

test('bytes give the same set, and a change of any of them is noticed', () => {
  const rules = 'html(p,div) text=3 xxh3(seed=0) least=26';
  const labels = Labels.from(hashes(5), rules);
  const bytes = labels.toBytes();
  const again = Labels.fromBytes(bytes);
  assert.equal(again.rules, rules);
  assert.deepEqual(again.toBytes(), bytes);
  // Also where they stand at an odd place of a larger array.
  const inside = new Uint8Array(bytes.length + 3);
  inside.set(bytes, 3);
  assert.equal(Labels.fromBytes(inside.subarray(3)).size, 5);
  for (let i = 0; i < bytes.length; ++i) {
    for (const bit of [1, 128]) {
      const damaged = bytes.slice();
      damaged[i] ^= bit;
      assert.throws(() => Labels.fromBytes(damaged), { code: 'labels' }, `byte ${i}`);
    }
    assert.throws(() => Labels.fromBytes(bytes.subarray(0, i)), CoreError, `${i} bytes`);
  }
  assert.throws(() => Labels.fromBytes(new Uint8Array([...bytes, 0])), CoreError);
  assert.throws(() => Labels.fromBytes('TWLABELS'), CoreError);
  assert.equal(Labels.fromBytes(Labels.from([]).toBytes()).size, 0);
});

test('a million labels', (t) => {
  const count = 1_000_000;
  const all = hashes(count);
  const clock = (what, use) => {
    const began = performance.now();
    const result = use();
    t.diagnostic(`${what}: ${(performance.now() - began).toFixed(0)} ms`);
    return result;
  };
  const labels = clock('from hashes', () => Labels.from(all));
  const bytes = labels.toBytes();
  assert.equal(bytes.length, 28 + 16 * count);
  t.diagnostic(`${bytes.length} bytes`);
  const loaded = clock('from bytes', () => Labels.fromBytes(bytes));
  assert.equal(loaded.size, count);
  const found = clock('100,000 found', () => all.slice(0, 100_000).filter((hash) => loaded.has(hash)).length);
  assert.equal(found, 100_000);
});
