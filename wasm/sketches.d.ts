// Sketches of texts and pages, in Node, browsers and extensions.
import type { CoreError } from './index.js';

export { CoreError };

/** What decides a sketch; sketches of other rules are never to be compared. */
export interface SketchRules {
  /** A spec (docs/schemes.md) of simhash or fss, such as 'fss(shingle=5)'; no parameter may name a file. Default: simhash. */
  scheme?: string | undefined;
  /** A spec of words (docs/analyzers.md), such as 'words(min_chars=4)'. Default: words. */
  analyzer?: string | undefined;
  /** Texts are pages, whose markup is taken off. Default: false. */
  html?: boolean | undefined;
}

export interface Comparison {
  /** Estimated, with its 95 % interval, if the scheme tells it: fss does. */
  resemblance: { value: number; low: number; high: number; standardError: number } | null;
  /** The bits that differ, if the scheme tells it: simhash does. */
  distance: { differ: number; bits: number } | null;
}

export interface Sketcher {
  /** The bytes of the text's sketch: those of twinset on every machine. None if the text has no token. */
  sketch(text: string | Uint8Array, rules?: SketchRules): Uint8Array;
  /** Of two sketches by these rules. Both are null if one of them is empty or broken. */
  compare(a: Uint8Array, b: Uint8Array, rules?: SketchRules): Comparison;
  /** The scheme with all its parameters. */
  spec(rules?: SketchRules): string;
}

/** As load() of index.d.ts. */
export function loadSketches(source?: BufferSource | WebAssembly.Module | URL | string): Promise<Sketcher>;
