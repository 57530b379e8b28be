// What the tests of the package share: where it is, the program that it must equal, and pages.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export const HOUSE = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../..');
export const PACKAGE = path.join(HOUSE, 'build/wasm');
export const { CoreError, Labels, load } = await import(pathToFileURL(path.join(PACKAGE, 'index.js')).href);

/** Rules in the words of JavaScript, and in those that the door takes. */
export const RULES = [
  [{}, ''],
  [{ minChars: 1 }, 'min_chars=1\n'],
  [{ content: 'text', minChars: 26 }, 'content=text\nmin_chars=26\n'],
  [{ content: 'text', whiteSpace: 'keep', hash: 'blake3', minChars: 1 }, 'content=text\nwhite_space=keep\nhash=blake3\nmin_chars=1\n'],
  [{ at: 'p,div,ends', chunkAttributes: 'ignore', hash: 'sha1' }, 'at=p,div,ends\nchunk_attributes=ignore\nhash=sha1\n'],
  [{ chunks: 'auntietuna' }, 'chunks=auntietuna\n'],
];

/** The core for this machine. */
export const nativeDoor = () => path.join(process.env.TWINSET_BUILD ?? path.join(HOUSE, 'build/release'), 'tests/native_door');

/** The numbers of chunks and the hashes of all of them, of each file, as tests/wasm/native.cc prints them. */
export function native(lines, paths) {
  const said = execFileSync(nativeDoor(), [lines], { input: paths.map((one) => one + '\n').join(''), maxBuffer: 1 << 28 });
  return said.toString().split('\n').slice(0, -1);
}

/** The same of chunks of the module. */
export function digest(chunks) {
  const lines = chunks.map(({ begin, end, hash }) => `${begin} ${end} ${hash}\n`).join('');
  return `${chunks.length} ${createHash('sha256').update(lines).digest('hex')}`;
}

/** Pages that are hard to read, by name. */
export function smallPages() {
  const random = (seed) => () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 24;
  const byte = random(7);
  return {
    empty: Buffer.alloc(0),
    words: Buffer.from('<title>Fish</title><p class=a>Fish and chips\n<p>  Fish \t and<br>chips</p><div>Salt &amp; vinegar</div>'),
    'broken utf-8': Buffer.concat([Buffer.from('<p>caf'), Buffer.from([0xe9, 0xff, 0xc0, 0x80, 0xed, 0xa0]), Buffer.from('<p>'), Buffer.from([0xf4, 0x90])]),
    bytes: Buffer.from({ length: 100_000 }, byte),
    cjk: Buffer.from('<p>日本語のページは、空白なしで書かれる。<p>中文網頁\u3000全形空格<div>한국어 문단입니다</div>'.repeat(50)),
    'unclosed comment': Buffer.from('<p>a<!-- <p>b<p>c'),
    scripts: Buffer.from('<script>"<p>"</script><template><p>x</template><noscript><p>y</noscript><style><p></style><p>z'),
    'deep nesting': Buffer.from('<div>'.repeat(20_000) + 'x' + '</div>'.repeat(20_000)),
    'tags without end': Buffer.from('<p '.repeat(30_000)),
    attributes: Buffer.from('<p ' + 'a=1 '.repeat(50_000) + '>x<p>y'),
    frames: Buffer.from('<iframe srcdoc="&lt;p&gt;in&lt;p&gt;side"></iframe><p>out'.repeat(20)),
    shadow: Buffer.from('<div><template shadowrootmode=open><p>a<slot></slot></template><p>b</div>'),
    'huge line': Buffer.from('x'.repeat(3_000_000) + '<p>' + 'y '.repeat(500_000)),
    'white space': Buffer.from('<p>' + ' \t\n\f\r'.repeat(40_000) + 'x<p>\u00a0\u2003x'),
    'many paragraphs': Buffer.from('<p>x'.repeat(50_000)),
    nul: Buffer.from('<p>\0\0<\0p>x<p\0>y'),
  };
}

/** Calls `use` with the paths of files that have these bytes. */
export function withFiles(contents, use) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'twinset-wasm-'));
  try {
    const paths = contents.map((_, i) => path.join(folder, `${i}`));
    contents.forEach((bytes, i) => fs.writeFileSync(paths[i], bytes));
    use(paths);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
