// What is kept of a page that was read: its parts, cut and hashed by the core.

import type { Chunk, Core } from 'twinset-wasm';
import { Labels } from 'twinset-wasm';
import type { Part } from './messages';
import { linesOf, type Lines, type WhiteSpace } from './rules';
import type { Known, KnownPart } from './store';

const BOTH: readonly WhiteSpace[] = ['normalize', 'keep'];

/** More parts of a page are not kept; their order is that of the page. */
const MOST_PARTS = 5000;
/** Bytes of a part that are looked at, and characters that are shown of it. */
const LOOKED_AT = 1 << 14;
const SHOWN = 400;

/** A page as it would be remembered. JSON can hold it. */
export interface Draft {
  site: string;
  title: string;
  place: string;
  parts: KnownPart[];
  auntietuna: string[];
}

/**
 * The words of a part: its HTML without tags, scripts and styles. Character references stay; it is
 * for a parser that runs nothing (pages.ts), never for a page.
 */
export function wordsOf(html: string): string {
  return html
    .replace(/<!--[\s\S]*?(-->|$)/g, ' ')
    .replace(/<(script|style|template|noscript)\b[\s\S]*?(<\/\1[^>]*>|$)/gi, ' ')
    .replace(/<[^>]*(>|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, SHOWN);
}

/** Gives the words of chunks, whose places are bytes of `html`. */
export function partReader(html: string): (chunk: Chunk) => string {
  const bytes = new TextEncoder().encode(html);
  const decoder = new TextDecoder();
  return (chunk) => wordsOf(decoder.decode(bytes.subarray(chunk.begin, Math.min(chunk.end, chunk.begin + LOOKED_AT))));
}

export function draftOf(core: Core, html: string, site: string, title: string, place: string): Draft {
  const read = partReader(html);
  const lines = linesOf(core);
  const byPlace = new Map<number, KnownPart>();
  for (const rules of BOTH) {
    for (const chunk of core.chunk(html, lines[rules]).slice(0, MOST_PARTS)) {
      const part = byPlace.get(chunk.begin) ?? { html: read(chunk) };
      part[rules] = chunk.hash;
      byPlace.set(chunk.begin, part);
    }
  }
  const parts = [...byPlace].sort(([a], [b]) => a - b).map(([, part]) => part);
  const auntietuna = [...new Set(core.chunk(html, lines.auntietuna).slice(0, MOST_PARTS).map((chunk) => chunk.hash))];
  return { site, title, place, parts, auntietuna };
}

/** One page of the documents of one tab: the first is the page, the others are in its frames. */
export function join(drafts: readonly Draft[]): Draft | undefined {
  const first = drafts[0];
  if (first === undefined) return undefined;
  return {
    ...first,
    parts: drafts.flatMap((draft) => draft.parts),
    auntietuna: [...new Set(drafts.flatMap((draft) => draft.auntietuna))],
  };
}

export function knownOf(draft: Draft, lines: Lines, id: string, added: number): Known {
  const labels = BOTH.map((rules) => labelsOf(draft.parts.flatMap((part) => part[rules] ?? []), lines[rules]));
  return { id, added, fromList: false, file: '', labels, ...draft };
}

/** A set of hashes for the store. */
export function labelsOf(hashes: Iterable<string>, rules: string): Known['labels'][number] {
  const set = Labels.from(hashes, rules);
  return { rules, bytes: set.toBytes(), count: set.size };
}

/** At most `most` of the parts, the equal ones and those beside them first, in their order. */
export function choose(parts: readonly Part[], most: number): Part[] {
  if (parts.length <= most) return [...parts];
  const wanted = new Set<number>();
  for (const distance of [0, 1, 2]) {
    for (let i = 0; i < parts.length && wanted.size < most; i++) {
      if (parts[i - distance]?.same === true || parts[i + distance]?.same === true) wanted.add(i);
    }
  }
  return parts.filter((_, i) => wanted.has(i));
}
