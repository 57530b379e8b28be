// A page on which to judge (docs/judge.md): pairs or labels one by one, and a verdict on each. The browser keeps the
// verdicts until a reader saves them as the judged file (docs/formats/judged.md), whose lines the program has begun.

import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { ShownPair } from './facts';
import { count } from './numbers';
import { SideBySide } from './side_by_side';
import { Heading, Mark } from './ui';

export interface JudgeFacts {
  format: 'judge page 1';
  kind: 'pairs' | 'labels';
  source: string;
  judge: string;
  /** As the file spells it. */
  judge_json: string;
  /** The name under which the verdicts are saved. */
  file: string;
  fingerprint: string;
  /** The first line of the file. */
  header: string;
  categories: string[];
  /** `line`: the beginning of a verdict's. */
  pairs: { line: string; side_a: string; side_b: string; pair: ShownPair }[];
}

type Verdict = [category: string, at: string];

/** Kept by the browser under the beginnings of their lines, so that another page of the same sample knows them. */
class Verdicts {
  private readonly given = new Map<number, Verdict>();
  private readonly key: string;
  unsaved = false;
  stored = true;

  constructor(private readonly facts: JudgeFacts) {
    this.key = `twinset-judge-${facts.fingerprint}-${facts.judge}`;
    try {
      const kept = new Map(Object.entries(JSON.parse(localStorage.getItem(this.key) ?? '{}') as Record<string, Verdict>));
      facts.pairs.forEach(({ line }, i) => {
        const verdict = kept.get(line);
        if (Array.isArray(verdict) && facts.categories.includes(verdict[0]) && typeof verdict[1] === 'string') this.given.set(i, verdict);
      });
    } catch {
      this.stored = false;
    }
  }

  get size(): number {
    return this.given.size;
  }

  of(i: number): string | undefined {
    return this.given.get(i)?.[0];
  }

  give(i: number, category: string): void {
    this.given.set(i, [category, new Date().toISOString().replace(/\.\d+Z$/, 'Z')]);
    this.unsaved = true;
    try {
      localStorage.setItem(this.key, JSON.stringify(Object.fromEntries([...this.given].map(([k, verdict]) => [this.facts.pairs[k]?.line, verdict]))));
    } catch {
      this.stored = false;
    }
  }

  /** The next one without a verdict, from here and around; here, if each has one. */
  open(from: number): number {
    const all = this.facts.pairs.length;
    for (let i = 0; i < all; ++i) if (!this.given.has((from + i) % all)) return (from + i) % all;
    return from;
  }

  lines(): string {
    const { header, judge_json, pairs } = this.facts;
    return [header, ...pairs.flatMap(({ line }, i) => {
      const verdict = this.given.get(i);
      return verdict ? [`${line}, "verdict": ${JSON.stringify(verdict[0])}, "judge": ${judge_json}, "at": ${JSON.stringify(verdict[1])}}`] : [];
    })].map((line) => `${line}\n`).join('');
  }
}

export function JudgePage({ facts }: { facts: JudgeFacts }): JSX.Element {
  const { pairs, categories } = facts;
  const verdicts = useMemo(() => new Verdicts(facts), [facts]);
  const [at, setAt] = useState(() => verdicts.open(0));
  const [, changed] = useReducer((n: number, _: void) => n + 1, 0);
  const moved = useRef(false);
  const all = pairs.length;
  const move = (next: number): void => {
    if (next >= 0 && next < all) setAt(next);
  };
  const give = (category: string): void => {
    verdicts.give(at, category);
    changed();
    setAt(verdicts.open(at));
  };
  const save = (): void => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([verdicts.lines()], { type: 'application/octet-stream' }));
    link.download = facts.file;
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    verdicts.unsaved = false;
    changed();
  };
  useLayoutEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const category = categories.find((name) => name[0] === letter);
      if (category !== undefined) give(category);
      else if (letter === 'b' || letter === 'ArrowLeft') move(at - 1);
      else if (letter === 'ArrowRight') move(at + 1);
    };
    window.addEventListener('keydown', keys);
    return () => window.removeEventListener('keydown', keys);
  });
  useEffect(() => {
    const leave = (event: BeforeUnloadEvent): void => {
      if (verdicts.unsaved && !verdicts.stored) event.preventDefault();
    };
    window.addEventListener('beforeunload', leave);
    return () => window.removeEventListener('beforeunload', leave);
  }, [verdicts]);
  useLayoutEffect(() => {
    if (moved.current) window.scrollTo(0, 0);
    moved.current = true;
  }, [at]);
  const done = verdicts.size;
  const now = pairs[at];
  const is_labels = facts.kind === 'labels';
  return (
    <>
      <header class="top"><div class="inner"><span class="mark"><Mark />twinset</span><span class="quiet">Judge: <bdi>{facts.judge}</bdi></span></div></header>
      <Heading>{is_labels ? 'Labels' : 'Pairs'} of <bdi>{facts.source}</bdi></Heading>
      <p class="lead">Type a category&rsquo;s first letter or choose it; b goes back. The browser keeps the verdicts until you save them as <code>{facts.file}</code>.</p>
      <progress value={done} max={all} aria-label="Judged" />
      <p role="status" class="counted">
        {count(at + 1)} of {count(all)} &middot; {count(done)} judged{done === all && <> &middot; all judged: save the file</>}
        {verdicts.unsaved && !verdicts.stored && <> &middot; this browser keeps nothing: save before you leave</>}
      </p>
      {now && (
        <article class="pair" aria-labelledby="judged-pair">
          <h2 id="judged-pair" class="unseen">{now.pair.tag}</h2>
          <SideBySide rows={now.pair.rows ?? []} a={now.pair.a} b={now.pair.b} side_a={now.side_a} side_b={now.side_b} more={now.pair.more} unmarked={is_labels} />
        </article>
      )}
      <div class="verdicts">
        <p class="inner" role="group" aria-label="Verdict">
          {categories.map((name) => (
            <button key={name} type="button" aria-pressed={verdicts.of(at) === name} onClick={() => give(name)}><kbd>{name[0]}</kbd>{name.slice(1)}</button>
          ))}
          <span class="grow" />
          <button type="button" disabled={at === 0} onClick={() => move(at - 1)}><kbd>b</kbd>ack</button>
          <button type="button" disabled={at + 1 === all} onClick={() => move(at + 1)}>next</button>
          <button type="button" class="main" disabled={done === 0} onClick={save}>save the file</button>
        </p>
      </div>
    </>
  );
}
