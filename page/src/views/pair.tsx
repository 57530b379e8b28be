// Two documents side by side, and what a person decides about them. The letters k, r, u, n and p work while the focus is
// in the pair.

import type { JSX } from 'preact';
import { pairsOf } from '../facts';
import type { ReportDocument, ShownPair } from '../facts';
import { useApp, useDecisions, useLater } from '../hooks';
import { count, isNumber } from '../numbers';
import type { Route } from '../route';
import { go, to } from '../route';
import type { PairPage, RecordName } from '../source';
import { SideBySide } from '../side_by_side';
import { DocumentName, Facts, Heading, Judge, Kind, Wait } from '../ui';
import { nameOf } from '../facts';

function recordName(document: ReportDocument | undefined, folder: string): RecordName {
  const name = nameOf(document, folder);
  return { id: document?.id || name, ...(document?.file ? { file: folder + document.file, record: document.record ?? 0 } : {}) };
}

function Shown({ pair, folder, before, after }: { pair: PairPage; folder: string; before?: string | undefined; after?: string | undefined }): JSX.Element {
  const { about } = useApp();
  const decisions = useDecisions();
  const later = recordName(pair.b, folder);
  const removed = about.decides && pair.color !== undefined && pair.color !== 'kept';
  const keys = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target as Element).closest('input, select, textarea')) return;
    const now = decisions.of(later);
    const actions: Record<string, () => void> = {
      n: () => after !== undefined && go(after),
      p: () => before !== undefined && go(before),
      ...(removed ? {
        k: () => decisions.decide(later, now === 'restore' ? 'none' : 'restore'),
        r: () => decisions.decide(later, now === 'remove' ? 'none' : 'remove'),
        u: () => decisions.undo(),
      } : {}),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  return (
    <article class="pair" onKeyDown={keys}>
      <div class="pair-facts">
        <p><Kind>{pair.color ?? 'kept'}</Kind> <Facts facts={pair.facts} /></p>
        {removed && <p class="ask">Is the {pair.side_b} a copy? <Judge name={later} /> <span class="keys quiet" aria-hidden="true">k keep &middot; r remove &middot; u undo &middot; n next</span></p>}
      </div>
      <SideBySide rows={pair.rows ?? []} a={pair.a} b={pair.b} side_a={pair.side_a} side_b={pair.side_b} more={pair.more} />
    </article>
  );
}

function Steps({ at, of, before, after }: { at: number; of: number; before: string | undefined; after: string | undefined }): JSX.Element {
  return (
    <>
      <a href={to('pairs')}>Side by side</a> {count(at)} of {count(of)}{' '}
      <span class="steps">
        {before !== undefined && <a href={before} aria-label="Pair before">&larr;</a>}{' '}
        {after !== undefined && <a href={after} aria-label="Next pair">&rarr;</a>}
      </span>
    </>
  );
}

export function PairView({ route }: { route: Route }): JSX.Element {
  const { source, facts } = useApp();
  const [a, b] = [route.query.get('a') ?? '', route.query.get('b') ?? ''];
  const reference = route.path[0];
  const pairs = pairsOf(facts);
  const at = pairs.findIndex((each) => each.reference === reference);
  const later = useLater(`pair ${reference} ${a} ${b}`, async (signal) => {
    const found = pairs[at];
    if (found) return { ...found.pair, side_a: found.section.side_a ?? 'a', side_b: found.section.side_b ?? 'b' };
    if (reference !== undefined) throw new Error(`There is no pair ${reference} in this report.`);
    return source.pair(a, b, signal);
  });
  const link = (i: number): string | undefined => (pairs[i] ? to('pair', [pairs[i].reference]) : undefined);
  return (
    <>
      <Heading over={at >= 0 ? <Steps at={at + 1} of={pairs.length} before={link(at - 1)} after={link(at + 1)} /> : <a href={to('clusters')}>Clusters</a>}>
        {at >= 0 ? pairs[at]?.pair.tag || 'Side by side' : 'Side by side'}
      </Heading>
      <Wait later={later}>{(pair) => <Shown pair={pair} folder={at >= 0 ? facts.folder ?? '' : ''} before={link(at - 1)} after={at >= 0 ? link(at + 1) : undefined} />}</Wait>
    </>
  );
}

/** The number that matters most of a pair. */
function main(pair: ShownPair): ShownPair['facts'] {
  return (pair.facts ?? []).filter((fact) => isNumber(fact.value)).slice(0, 1);
}

export function Pairs(): JSX.Element {
  const { facts, about } = useApp();
  const decisions = useDecisions();
  const folder = facts.folder ?? '';
  return (
    <>
      <Heading>Side by side</Heading>
      <p class="lead">Pairs that the lists lead to, and some that were drawn from all.</p>
      <ol class="items pairs">
        {pairsOf(facts).map(({ reference, pair }, i) => {
          const judged = about.decides ? decisions.of(recordName(pair.b, folder)) : undefined;
          return (
            <li key={reference}>
              <span class="number" aria-hidden="true">{i + 1}</span>
              <div class="what">
                <p><a href={to('pair', [reference])}>{pair.tag || 'a pair'}</a> <Kind>{pair.color ?? 'kept'}</Kind></p>
                <p><DocumentName document={pair.a} /></p>
                <p><DocumentName document={pair.b} /></p>
              </div>
              <div class="facts"><Facts facts={main(pair)} />{judged && <span class={`judged j-${judged}`}>{judged === 'restore' ? 'kept by you' : 'removed by you'}</span>}</div>
            </li>
          );
        })}
      </ol>
    </>
  );
}
