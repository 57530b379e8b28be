// Two texts with their passages at the same height, as the engine aligned them (rows of docs/formats/report.md). On a
// narrow screen they stand below each other, and a row that both share is shown once.

import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Mark, PairRow, Piece, ReportDocument } from './facts';
import { DocumentName } from './ui';

interface Stretch {
  mark: Mark;
  pieces: Piece[];
}

/** Passages that touch stay apart, but the two ends of a cut one are one. */
function stretches(pieces: Piece[]): Stretch[] {
  const made: Stretch[] = [];
  pieces.forEach((piece, i) => {
    const mark = piece.mark ?? 'plain';
    const note = mark === 'label' || mark === 'cut';
    const before = pieces[i - 1]?.mark ?? 'plain';
    const last = made[made.length - 1];
    if (mark === 'label') made.push({ mark: 'moved', pieces: [piece] });
    else if (mark === 'cut' && last) last.pieces.push(piece);
    else if (!note && last && last.mark === mark && (before === 'label' || before === 'cut')) last.pieces.push(piece);
    else made.push({ mark: mark === 'cut' ? 'plain' : mark, pieces: [piece] });
  });
  return made;
}

function Marked({ mark, side, children }: { mark: Mark; side: 'a' | 'b'; children: ComponentChildren }): JSX.Element {
  switch (mark) {
    case 'shared': return <mark>{children}</mark>;
    case 'moved': return <mark class="moved">{children}</mark>;
    case 'only': return side === 'a' ? <del>{children}</del> : <ins>{children}</ins>;
    case 'skipped': return <span class="skipped">{children}</span>;
    default: return <>{children}</>;
  }
}

function Side({ pieces, side, onLabel }: { pieces: Piece[]; side: 'a' | 'b'; onLabel: (label: string, side: 'a' | 'b') => void }): JSX.Element {
  return (
    <div class={`side ${side}`} dir="auto">
      {stretches(pieces).map((stretch, i) => (
        <Marked key={i} mark={stretch.mark} side={side}>
          {stretch.pieces.map((piece, k) => {
            if (piece.mark === 'label') {
              const text = piece.text ?? '';
              return <button key={k} type="button" class="tag" data-label={text} title="To the same passage in the other text" onClick={() => onLabel(text, side)}>{text}</button>;
            }
            if (piece.mark === 'cut') return <span key={k} class="cut"> &hellip; {piece.text} &hellip; </span>;
            return piece.text;
          })}
        </Marked>
      ))}
    </div>
  );
}

const textOf = (pieces: Piece[] | undefined): string => (pieces ?? []).map((piece) => piece.text ?? '').join('').replace(/\s+/g, '');

/** "the kept", but "A". */
const side = (name: string): string => (name.length === 1 ? name : `the ${name}`);

export function SideBySide({ rows, a, b, side_a, side_b, more, actions_a, actions_b, unmarked = false }: {
  rows: PairRow[]; a: ReportDocument | undefined; b: ReportDocument | undefined; side_a: string; side_b: string; more: string | undefined;
  actions_a?: ComponentChildren; actions_b?: ComponentChildren;
  /** The texts are not compared. */
  unmarked?: boolean;
}): JSX.Element {
  const [different, setDifferent] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const differences = rows.filter((row) => !row.same).length;
  const move = (way: 1 | -1): void => {
    const all = [...(frame.current?.querySelectorAll<HTMLElement>('.row.diff') ?? [])];
    const middle = window.innerHeight / 2 - 40;
    const ahead = way > 0 ? all.find((row) => row.getBoundingClientRect().top > middle + 8)
      : all.reverse().find((row) => row.getBoundingClientRect().bottom < middle - 8);
    const next = ahead ?? all[way > 0 ? all.length - 1 : 0];
    next?.scrollIntoView({ block: 'center' });
    next?.focus({ preventScroll: true });
  };
  const toLabel = (label: string, side: 'a' | 'b'): void => {
    const number = /\d[\d,]*$/.exec(label)?.[0];
    const other = [...(frame.current?.querySelectorAll<HTMLElement>(`.side.${side === 'a' ? 'b' : 'a'} .tag`) ?? [])]
      .find((tag) => /\d[\d,]*$/.exec(tag.dataset.label ?? '')?.[0] === number);
    other?.scrollIntoView({ block: 'center' });
    other?.focus({ preventScroll: true });
  };
  return (
    <div class="sides-view">
      <div class="bar">
        {!unmarked && (
          <p class="marks">
            <mark>shared</mark> <del>only in {side(side_a)}</del> <ins>only in {side(side_b)}</ins> <mark class="moved">elsewhere in the other</mark>
          </p>
        )}
        {differences > 0 && rows.length > 1 && (
          <p class="tools">
            <label><input type="checkbox" checked={different} onChange={(event) => setDifferent(event.currentTarget.checked)} /> Differences only</label>
            <button type="button" onClick={() => move(-1)} aria-label="Previous difference">&uarr;</button>
            <button type="button" onClick={() => move(1)} aria-label="Next difference">&darr;</button>
          </p>
        )}
      </div>
      <div class="sides" ref={frame} role="group" aria-label="The two texts">
        <div class="row head">
          <div class="side a"><span class="role">{side_a}</span> <DocumentName document={a} />{actions_a}</div>
          <div class="side b"><span class="role">{side_b}</span> <DocumentName document={b} />{actions_b}</div>
        </div>
        {rows.map((row, i) => (different && row.same ? null : (
          <div key={i} class={`row ${row.same ? 'same' : 'diff'}${row.same && textOf(row.a) === textOf(row.b) ? ' equal' : ''}`} tabIndex={row.same ? undefined : -1}>
            <Side pieces={row.a ?? []} side="a" onLabel={toLabel} />
            <Side pieces={row.b ?? []} side="b" onLabel={toLabel} />
          </div>
        )))}
        {more && <p class="more">{more}</p>}
      </div>
    </div>
  );
}
