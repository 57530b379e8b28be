// What the tests of the package share: where it is, the program that it must equal, and pages.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
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
