// Sketches of the second module are those of the library, byte for byte, and compare as they do.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

import { CoreError, PACKAGE, nativeDoor, smallPages, withFiles } from './setup.mjs';

const { loadSketches } = await import(pathToFileURL(path.join(PACKAGE, 'sketches.js')).href);
const sketcher = await loadSketches();
const SCHEMES = ['simhash', 'simhash(bits=128, shingle=2)', 'fss', 'fss(shingle=3, bins=64)'];

function holdAgainstTheLibrary(paths) {
  for (const scheme of SCHEMES) {
    for (const html of [false, true]) {
      const program = path.join(path.dirname(nativeDoor()), 'native_sketches');
      const input = paths.map((one) => one + '\n').join('');
      const expected = execFileSync(program, [scheme, html ? 'html' : 'text'], { input, maxBuffer: 1 << 28 }).toString();
      let before = new Uint8Array();
      const made = paths.map((one) => {
        const sketch = sketcher.sketch(fs.readFileSync(one), { scheme, html });
        const { distance, resemblance } = sketcher.compare(before, sketch, { scheme, html });
        before = sketch;
        const found = distance ? `${distance.differ}/${distance.bits}` : resemblance ? Math.round(resemblance.value * 1e6) : '-';
        return `${Buffer.from(sketch).toString('hex')} ${found}\n`;
      });
      const lines = expected.split(/(?<=\n)/);
      made.forEach((line, i) => assert.equal(line, lines[i], `${paths[i]} by ${scheme}, html ${html}`));
      assert.equal(made.length, lines.length);
    }
  }
}

test('sketches of small and hostile pages are those of the library', () => {
  withFiles(Object.values(smallPages()), holdAgainstTheLibrary);
});

const manual = process.env.TWINSET_MANUAL; // tests/wasm/run.py sets it

test('sketches of a manual are those of the library', { skip: manual ? false : 'llvm-docs-html is not below TWINSET_DATA' }, () => {
  const paths = fs.readdirSync(manual).map((name) => path.join(manual, name));
  holdAgainstTheLibrary(paths.filter((_, i) => i % 6 === 0));
});

test('two texts are compared by what their scheme tells', () => {
  const words = Array.from({ length: 500 }, (_, i) => `word${i}`);
  const [a, b] = [words.join(' '), [...words.slice(0, 450), 'other', 'words'].join(' ')];
  const distance = sketcher.compare(sketcher.sketch(a), sketcher.sketch(b));
  assert.equal(distance.resemblance, null);
  assert.ok(distance.distance.bits === 64 && distance.distance.differ < 20);
  const fss = { scheme: 'fss(shingle=1)' };
  const { resemblance } = sketcher.compare(sketcher.sketch(a, fss), sketcher.sketch(b, fss), fss);
  assert.ok(resemblance.low <= 450 / 502 && 450 / 502 <= resemblance.high, JSON.stringify(resemblance));
  assert.deepEqual(sketcher.compare(sketcher.sketch(''), sketcher.sketch(a)), { resemblance: null, distance: null });
  assert.deepEqual(sketcher.sketch(' <p>Fish<br> '.repeat(3), { html: true }), sketcher.sketch('fish Fish, FISH'));
});

test('what there is not is refused, and the next is made', () => {
  assert.match(sketcher.spec(), /^simhash\(/);
  for (const [rules, message] of [
    [{ scheme: 'minhash' }, /no scheme "minhash"; .* There are: fss, simhash/],
    [{ scheme: 'simhash(bits=7)' }, /bits/],
    [{ scheme: 'simhash(weights=tfidf, df="a.df")' }, /a\.df/],
    [{ analyzer: 'tags' }, /analyzer/],
    [{ color: 'red' }, /'color=red'; there are scheme, analyzer, and html/],
    [{ html: 1 }, /'html=1'/],
  ]) {
    assert.throws(() => sketcher.spec(rules), (error) => error instanceof CoreError && error.code === 'rules' && message.test(error.message) || assert.fail(error.message));
  }
  assert.throws(() => sketcher.sketch(new Uint8Array(1_100_000_000)), { code: 'memory' });
  assert.ok(sketcher.sketch('Fish and chips').length > 0);
});
