// Chunks of web pages, and which of them are known, in Node, browsers and extensions.

/** How pages are cut into chunks, and what names these (docs/chunks.md). Pages are compared by equal rules. */
export interface ChunkRules {
  // <options>
  /** How texts are cut: html: pages at --at, other texts at blank lines; hadoop and auntietuna: as the programs of the paper's authors; paragraphs: all at blank lines. Default: html. */
  chunks?: 'html' | 'hadoop' | 'auntietuna' | 'paragraphs' | undefined;
  /** The elements whose start tags cut a page, of p, div, table, cell, frame; with ends, where they end, too. Default: p,div. */
  at?: string | undefined;
  /** What of a chunk is compared: its markup, or what a reader sees. Default: markup. */
  content?: 'markup' | 'text' | undefined;
  /** The attributes of tags in markup that is compared; ignored, ids and classes of a site's or page's own hide no copy. Default: keep. */
  chunkAttributes?: 'keep' | 'ignore' | undefined;
  /** White space in what is compared; normalized, lines that are broken elsewhere hide no copy. Default: normalize. */
  whiteSpace?: 'normalize' | 'keep' | undefined;
  /** The hash of chunks; xxh3 of 128 bits is fast, blake3 and sha256 resist people who forge chunks. Default: xxh3; of hadoop sha1, of auntietuna sha256. */
  hash?: 'xxh3' | 'sha1' | 'sha256' | 'blake3' | 'blake3_128' | undefined;
  /** The seed of xxh3. Default: 0. */
  hashSeed?: number | bigint | undefined;
  /** Shorter chunks are stop chunks: what pages have in common without copying. Default: 101; of hadoop 0, of auntietuna 29. */
  minChars?: number | bigint | undefined;
  // </options>
}

export interface Chunk {
  /** Its bytes of the page as UTF-8: [begin, end). */
  begin: number;
  end: number;
  /** 32, 40 or 64 hexadecimal digits, as the rules' hash has. */
  hash: string;
}

export interface Match {
  /** Of the page, those that are too short left out. */
  chunks: number;
  /** The numbers of those that are known, from 0 on, ascending. */
  matched: number[];
  /** matched.length / chunks; 0 if the page has none. */
  share: number;
}

/** `code`: 'rules' for rules that there are not, 'memory' for a page that is too large, 'labels' for
 * hashes or bytes that are no labels or of another hash, 'module' for one that cannot be had or failed.
 * The core is usable after each. */
export class CoreError extends Error {
  readonly code: 'rules' | 'memory' | 'labels' | 'module';
}

/** A set of known hashes, all of one kind: a sorted array, 16 to 32 bytes each. */
export class Labels {
  private constructor();
  /** Hashes in any order, none or more; `rules`: the line that says how they were made, Core.rules(). */
  static from(hashes: Iterable<string>, rules?: string): Labels;
  /** What toBytes() gave. Throws for any other bytes, also if one of them is changed. */
  static fromBytes(bytes: Uint8Array): Labels;
  toBytes(): Uint8Array;
  readonly size: number;
  /** The line given to from(); empty if none was. */
  readonly rules: string;
  has(hash: string): boolean;
}

export interface Core {
  /** The chunks of a page in order; with those left out as too short they cover each byte once. */
  chunk(html: string | Uint8Array, rules?: ChunkRules | string): Chunk[];
  /** Which of them the labels have. Without rules, those of the labels. */
  contains(labels: Labels, html: string | Uint8Array, rules?: ChunkRules | string): Match;
  /** The line that says the rules, as a file of labels has it; two sets of hashes may be compared if theirs are
   * equal but for the least length. Such a line may stand wherever rules may. */
  rules(rules?: ChunkRules | string): string;
}

/** Loads the core: from the file beside this one, from a URL, or from bytes or a module that the caller has. Needs
 * no network but for that URL, and of a page's policy 'wasm-unsafe-eval'. */
export function load(source?: BufferSource | WebAssembly.Module | URL | string): Promise<Core>;
