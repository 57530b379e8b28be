// The rule: does a page of one site have parts of a remembered page of another? Pure.

/** What is compared of a remembered page or a list. */
export interface Compared {
  id: string;
  site: string;
  size: number;
  has(hash: string): boolean;
}

export interface Threshold {
  /** One equal part is enough (the paper, section 8.2), or a share of the remembered page. */
  mode: 'one' | 'share';
  /** In percent. */
  share: number;
}

export interface Imitation {
  id: string;
  site: string;
  /** Distinct parts of the remembered page that stand on this one. */
  matched: string[];
  share: number;
}

/**
 * The remembered pages of other sites that a page of `site` imitates, the likeliest first. Parts
 * that are remembered of its own site, too, tell nothing; `allowed` are the sites that it may resemble.
 */
export function judge(hashes: Iterable<string>, site: string, known: readonly Compared[], allowed: ReadonlySet<string>,
  threshold: Threshold): Imitation[] {
  const distinct = new Set(hashes);
  const own = known.filter((one) => one.site === site);
  const found: Imitation[] = [];
  for (const one of known) {
    if (one.site === site || allowed.has(one.site)) continue;
    const matched: string[] = [];
    for (const hash of distinct) {
      if (one.has(hash) && !own.some((mine) => mine.has(hash))) matched.push(hash);
    }
    const share = one.size === 0 ? 0 : matched.length / one.size;
    const enough = threshold.mode === 'one' ? matched.length > 0 : matched.length > 0 && share * 100 >= threshold.share;
    if (enough) found.push({ id: one.id, site: one.site, matched, share });
  }
  return found.sort((a, b) => b.matched.length - a.matched.length || b.share - a.share);
}

/** How sure a match is, in plain words. One equal part may be a quotation, whatever share it is. */
export function sureness(matched: number, of: number, fromList: boolean): string {
  const parts = `${matched === 1 ? 'one part' : `${matched} parts`} of ${of}`;
  const are = `${parts} ${matched === 1 ? 'is' : 'are'} the same, word for word`;
  if (matched === 1 && of > 1) return `Not very sure: ${are}. It may be a quotation.`;
  if (fromList) return `Sure: ${are}.`;
  if (matched * 2 >= of) return `Very sure: ${are}.`;
  if (matched >= 3) return `Sure: ${are}.`;
  return `Not very sure: ${are}. It may be a quotation.`;
}
