// Numbers as src/words/numbers.cc writes them: the cases of tests/words/numbers_test.cc.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const page = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../page');
const esbuild = createRequire(path.join(page, 'package.json'))('esbuild');

async function load(file) {
  const { outputFiles } = await esbuild.build({ entryPoints: [path.join(page, 'src', file)], bundle: true, write: false, format: 'esm' });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
const numbers = await load('numbers.ts');
const { routeOf, to } = await load('route.ts');
const { logarithmic, linear, dateMark } = await load('scale.ts');

const equal = (made, expected) => assert.deepEqual(made, expected);

test('counts, percentages, bytes and seconds', () => {
  const { count, counted, percent, bytes, seconds, short } = numbers;
  equal([0, 999, 1000, 1234567, undefined].map(count), ['0', '999', '1,000', '1,234,567', '0']);
  equal([counted(1, 'word', 'words'), counted(2000, 'word', 'words')], ['1 word', '2,000 words']);
  equal([[1, 3], [0, 3], [3, 3], [1, 100_000], [99_999, 100_000], [999, 1000], [0, 0]].map(([part, whole]) => percent(part, whole)), ['33.3 %', '0.0 %', '100.0 %', '<0.1 %', '>99.9 %', '99.9 %', '-']);
  equal([0, 999, 1000, 2_500_000, 999_600_000, 12_340_000_000, 2 ** 64].map(bytes), ['0 B', '999 B', '1 kB', '2.5 MB', '1 GB', '12.3 GB', '18.4 EB']);
  equal([0.417, 12.34, 59.96, 245, 7380, -1].map(seconds), ['0.42 s', '12.3 s', '1 min 00 s', '4 min 05 s', '2 h 03 min', '0 s']);
  equal([9999, 12_345, 1_500_000, 2e9].map(short), ['9,999', '12.3k', '1.5M', '2G']);
});

test('shares are cut, and never shown on the other side of a threshold', () => {
  const { share } = numbers;
  const cases = [[1, 0, '1.000'], [0, 0, '0.000'], [0.5, 0, '0.500'], [0.29, 0, '0.290'], [0.8567, 0, '0.856'], [0.79996, 0.8, '0.799'], [0.9996, 0, '0.9996'], [0.999, 0, '0.9990'], [0.99912, 0, '0.9991'],
    [0.9999999, 0, '>0.999999'], [0.0004, 0, '0.0004'], [0.00001, 0, '0.00001'], [1e-9, 0, '<0.000001'], [0.8, 0.8, '0.800'], [0.85549, 0.8555, '0.855'], [0.8555, 0.8555, '0.8555'], [0.8557, 0.8555, '0.8557'], [2 / 3, 2 / 3, '0.666666']];
  for (const [value, threshold, shown] of cases) assert.equal(share(value, threshold), shown);
  let state = 1;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let i = 0; i < 100_000; ++i) {
    const whole = 1 + random(i % 2 === 0 ? 40 : 3_000_000);
    const part = random(whole + 1);
    const threshold = random(1_000_001) / 1e6;
    const shown = share(part / whole, threshold);
    assert.equal(shown === '1.000', part === whole);
    assert.equal(shown === '0.000', part === 0);
    if (/^[<>]/.test(shown)) continue;
    assert.equal(Number(shown) >= threshold, part / whole >= threshold, `${shown} of ${part / whole} at ${threshold}`);
    assert.ok(Number(shown) <= part / whole && Number(shown) > part / whole - 0.001, shown);
  }
});

test('addresses come back as they went', () => {
  for (const strange of ['a/b?c#d', '100 %', '\u202e', '<script>', '..', 'a&b=c+d', '\u05d0']) {
    const route = routeOf(to('list', [strange], { search: strange, reverse: true, empty: '', none: undefined }));
    equal([route.view, route.path, route.query.get('search'), route.query.get('reverse'), [...route.query.keys()]], ['list', [strange], strange, '1', ['search', 'reverse']]);
  }
  equal(routeOf('#/%E0%A4%A').view, '%E0%A4%A');
  equal([routeOf('').view, routeOf('#/').view, routeOf('#pairs-3').view, routeOf('#largest').view], ['overview', 'overview', 'pair', 'overview']);
  equal(to('list', ['\ud800']), '#/list/%EF%BF%BD');
});

test('axes have round marks', () => {
  equal(linear([0, 873], [100, 0], 4).marks, [0, 200, 400, 600, 800, 1000]);
  equal(logarithmic([1, 20_000], [100, 0], 5).marks, [1, 10, 100, 1000, 10_000, 100_000]);
  const scale = logarithmic([1, 100], [0, 100], 5);
  equal([scale(1), scale(10), scale(100)], [0, 50, 100]);
  const day = 86_400_000;
  equal([400, 40, 2, 0.1].map((step) => dateMark(Date.UTC(2026, 10, 27, 20, 30), step * day)), ['2026', '2026-11', '2026-11-27', '11-27 20:30']);
});
