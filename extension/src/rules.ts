// The rules by which pages are cut into parts and these named. Hashes of two rules never meet. The core
// writes rules as a line, which files of labels have, too.

import type { ChunkRules, Core } from 'twinset-wasm';

/** Which white space is compared. */
export type WhiteSpace = 'normalize' | 'keep';

/** The paper takes parts "longer than 25" characters for phish (section 8.2). What a reader sees is
 * compared, cut where paragraphs and divisions begin and end: so each part is found alone. */
const LEAST = 26;
const TEXT: ChunkRules = { at: 'p,div,ends', content: 'text', minChars: LEAST };

export interface Lines extends Record<WhiteSpace, string> {
  auntietuna: string;
}

export function linesOf(core: Core): Lines {
  return {
    normalize: core.rules({ ...TEXT, whiteSpace: 'normalize' }),
    keep: core.rules({ ...TEXT, whiteSpace: 'keep' }),
    auntietuna: core.rules({ chunks: 'auntietuna' }),
  };
}

/** Does this core cut by these rules? Those of another version it may not know. */
export function isKnown(core: Core, line: string): boolean {
  try {
    core.rules(line);
    return true;
  } catch {
    return false;
  }
}

/** Hexadecimal digits of the hashes of such rules; 0 of unknown ones. */
export function digitsOf(core: Core, line: string): number {
  if (!isKnown(core, line)) return 0;
  return core.chunk(`<p>${'word '.repeat(10000)}</p>`, line)[0]?.hash.length ?? 0;
}
