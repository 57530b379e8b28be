// Chunks of the module are those of the native core, byte for byte; its options are those that are
// declared; what it cannot do it says, and goes on.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';

import { CoreError, HOUSE, Labels, PACKAGE, RULES, digest, load, native, smallPages, withFiles } from './setup.mjs';

const core = await load();
const MOST_BYTES = 400_000;

test('chunks of small and hostile pages are the native ones', () => {
  const pages = smallPages();
  withFiles(Object.values(pages), (paths) => {
    for (const [rules, lines] of RULES) {
      const expected = native(lines, paths);
      assert.equal(expected.length, paths.length);
      Object.entries(pages).forEach(([name, page], i) => {
        assert.equal(digest(core.chunk(page, rules)), expected[i], `${name} by ${lines}`);
      });
    }
  });
});

const manual = process.env.TWINSET_MANUAL; // tests/wasm/run.py sets it
const skip = manual ? false : 'llvm-docs-html is not below TWINSET_DATA';

test('chunks of a whole manual are the native ones', { skip }, (t) => {
  const paths = fs.readdirSync(manual).map((name) => path.join(manual, name));
  assert.ok(paths.length > 3000, `${paths.length} pages`);
  let all = 0;
  for (const [rules, lines] of RULES) {
    const expected = native(lines, paths);
    paths.forEach((one, i) => {
      const chunks = core.chunk(fs.readFileSync(one), rules);
      all += chunks.length;
      assert.equal(digest(chunks), expected[i], `${one} by ${lines}`);
    });
  }
  t.diagnostic(`${paths.length} pages, ${RULES.length} rules, ${all} chunks`);
});

test('chunks cover the bytes of the page', () => {
  const page = 'Käse <p>Fish &amp; chips</p><div>日本';
  const chunks = core.chunk(page, { minChars: 1 });
  const bytes = Buffer.from(page);
  assert.equal(chunks.map(({ begin, end }) => bytes.subarray(begin, end)).join(''), page);
  assert.deepEqual(chunks, core.chunk(new Uint8Array(bytes), { minChars: 1 }));
});

test('a page contains what it copied', () => {
  const rules = { content: 'text', minChars: 26 };
  const mine = core.chunk('<p>Please type the name of your bank<p>and never tell it to anybody', rules);
  const known = Labels.from(mine.map((chunk) => chunk.hash), core.rules(rules));
  const page = '<p>A page of another site, as it seems<div>and  never tell\nit to <b>anybody</b></div>';
  assert.deepEqual(core.contains(known, page), { chunks: 2, matched: [1], share: 0.5 });
  assert.deepEqual(core.contains(known, page, { ...rules, minChars: 39 }), { chunks: 0, matched: [], share: 0 });
  assert.deepEqual(core.contains(Labels.from([]), page, rules), { chunks: 2, matched: [], share: 0 });
  assert.throws(() => core.contains(known, page, { minChars: 26 }), { code: 'labels', message: /other rules/ });
  const bare = Labels.from(['00'.repeat(32)]);
  assert.throws(() => core.contains(bare, page, rules), { code: 'labels', message: /256 bits/ });
});

test('rules are those that are declared, and a line says them', () => {
  const line = core.rules({ content: 'text', whiteSpace: 'keep', minChars: 26 });
  assert.equal(line, 'html(p,div) text=3 space=keep xxh3(seed=0) least=26');
  assert.equal(core.rules(line), line);
  assert.equal(core.rules({ content: undefined }), core.rules());
  assert.equal(core.rules({ hashSeed: 2n ** 64n - 1n }), 'html(p,div) markup xxh3(seed=18446744073709551615) least=101');
  for (const [rules, message] of [
    [{ color: 'red' }, /no rule 'color'; there are chunks, at, content, chunkAttributes, /],
    [{ content: 'words' }, /content: 'words' is not one of markup, text/],
    [{ minChars: 0.5 }, /minChars: '0.5'/],
    [{ minChars: 2 ** 33 }, /minChars: '8589934592' is more/],
    [{ at: 'p\ncontent=text' }, /at: 'p content=text' is no element/],
    [{ chunks: 'hadoop', content: 'text' }, /chunks: 'html'/],
    ['html(p)', /'html\(p\)' says no rules/],
  ]) {
    assert.throws(() => core.rules(rules), (error) => error instanceof CoreError && error.code === 'rules' && message.test(error.message) || assert.fail(error.message));
  }
  assert.equal(core.chunk('<p>x', { minChars: 1 }).length, 1);
});

test('the types of index.d.ts are the declared options', () => {
  const file = path.join(HOUSE, 'wasm/index.d.ts');
  const text = fs.readFileSync(file, 'utf8');
  const block = core.options().map(({ name, values, default: byDefault, help }) => {
    const words = values.split('|');
    const type = words.length > 1 ? words.map((word) => `'${word}'`).join(' | ') : values === 'N' ? 'number | bigint' : 'string';
    return `  /** ${help[0].toUpperCase() + help.slice(1)}. Default: ${byDefault}. */\n  ${name}?: ${type} | undefined;\n`;
  }).join('');
  const expected = text.replace(/( *\/\/ <options>\n)[^]*?( *\/\/ <\/options>)/, (_, begin, end) => begin + block + end);
  if (process.env.TWINSET_UPDATE_DOCS) fs.writeFileSync(file, expected);
  else assert.equal(text, expected, 'TWINSET_UPDATE_DOCS=1 writes it');
});

test('the module is small, and is in the package', () => {
  const { size } = fs.statSync(path.join(PACKAGE, 'chunks.wasm'));
  assert.ok(size <= MOST_BYTES, `chunks.wasm has ${size} bytes, more than ${MOST_BYTES}`);
  const { files, version } = JSON.parse(fs.readFileSync(path.join(PACKAGE, 'package.json'), 'utf8'));
  for (const file of files) assert.ok(fs.existsSync(path.join(PACKAGE, file)), file);
  assert.match(version, /^\d+\.\d+\.\d+$/);
});

test('a module is loaded from bytes, a module and URLs', async () => {
  const file = path.join(PACKAGE, 'chunks.wasm');
  const bytes = fs.readFileSync(file);
  const of = async (source) => (await load(source)).chunk('<p>x', { minChars: 1 });
  const expected = await of(undefined);
  assert.deepEqual(await of(bytes), expected);
  assert.deepEqual(await of(await WebAssembly.compile(bytes)), expected);
  assert.deepEqual(await of(new URL(`file://${file}`)), expected);
  assert.deepEqual(await of(`data:application/wasm;base64,${bytes.toString('base64')}`), expected);
  await assert.rejects(load('file:///nowhere/chunks.wasm'), /nowhere/);
  await assert.rejects(load(bytes.subarray(0, 1000)), WebAssembly.CompileError);
});

test('a page that needs too much memory is refused, and the next is read', () => {
  const expected = core.chunk('<p>x', { minChars: 1 });
  // The one does not fit, of the other only what is made of it.
  for (const bytes of [1_100_000_000, 520_000_000]) {
    assert.throws(() => core.chunk(new Uint8Array(bytes)), { code: 'memory', message: new RegExp(`of ${bytes} bytes`) });
  }
  assert.deepEqual(core.chunk('<p>x', { minChars: 1 }), expected);
  assert.throws(() => core.chunk(7), TypeError);
});

test('a page of 100 MB is read, and its memory given back', (t) => {
  const paragraph = Buffer.from('<p class=a>' + 'Words of a page that stand here, '.repeat(30) + '</p>\n');
  const page = Buffer.alloc(100e6, paragraph);
  const hash = core.chunk(paragraph)[0].hash;
  const began = performance.now();
  const match = core.contains(Labels.from([hash]), page);
  t.diagnostic(`${(performance.now() - began).toFixed(0)} ms, ${core.memoryBytes() >> 20} MiB after it`);
  assert.ok(match.matched.length > 99_000 && match.matched.length >= match.chunks - 1);
  assert.ok(core.memoryBytes() < 64 << 20);
});
