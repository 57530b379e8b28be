// A table of any number of rows, of which those in sight are in the page and those near are asked for, by ranges.
//
// Browsers allow no element as tall as a million rows. So the pane is at most `tallest` high; a turn of the wheel moves
// it by its own pixels, and a jump (a dragged scroll bar, End) by its share of the whole. When it rests, the bar is put
// where the rows are.
//
// The table has the focus and says which row is active (aria-activedescendant), so that a row may leave the page while
// a reader scrolls.

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { Range } from './source';
import { Failure } from './ui';
import { count } from './numbers';

const range = 100; // rows of a request
const most_ranges = 60; // kept
const tallest = 4_000_000;

export interface VirtualColumn<Row> {
  name: string;
  title?: string;
  number?: boolean;
  sort?: string;
  /** Unless reversed, large values come first. */
  descends?: boolean;
  cell: (row: Row, index: number) => ComponentChildren;
}

/** What is known of the rows of one question. A range that failed is asked for again only if the reader wants it. */
interface Session<Row> {
  held: Map<number, Row[] | 'asked' | 'failed'>;
  stop: AbortController;
}

export function Virtual<Row>({ label, ask, askKey, columns, rowHeight, layout, open, onAnswer, sorted, onSort, height, least = 0 }: {
  label: string;
  /** Asks for rows; called again for all when `askKey` changes. */
  ask: (offset: number, limit: number, signal: AbortSignal) => Promise<Range<Row>>;
  askKey: string;
  columns: VirtualColumn<Row>[];
  rowHeight: number;
  /** A class that lays the cells out. */
  layout: string;
  open?: ((row: Row, index: number) => void) | undefined;
  onAnswer?: (answer: Range<Row>) => void;
  sorted?: { by: string; reverse: boolean };
  onSort?: (by: string) => void;
  height?: number;
  /** Pixels that all columns need; on less the pane scrolls sideways. */
  least?: number;
}): JSX.Element {
  const pane = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((n: number, _: void) => n + 1, 0);
  const [active, setActive] = useState(0);
  const [error, setError] = useState<Error | undefined>(undefined);
  const [total, setTotal] = useState<number | undefined>(undefined);
  /** Pixels from the first row to the top of the pane, if rows had all their height. */
  const offset = useRef(0);
  const before = useRef(0);
  const settle = useRef(0);
  const fetching = useRef(0);
  const session = useMemo<Session<Row>>(() => {
    offset.current = 0;
    before.current = 0;
    return { held: new Map(), stop: new AbortController() };
  }, [askKey]);
  const view = height ?? 560;
  const whole = (total ?? 0) * rowHeight;
  const tall = Math.min(whole, tallest);
  const most = Math.max(0, whole - view);

  const fetchRange = (number: number): void => {
    const { held: mine, stop: { signal } } = session;
    if (mine.has(number)) return;
    mine.set(number, 'asked');
    ask(number * range, range, signal).then((answer) => {
      if (signal.aborted) return;
      mine.set(number, answer.rows);
      if (mine.size > most_ranges) {
        const here = Math.floor(offset.current / rowHeight / range);
        const far = [...mine.keys()].sort((x, y) => Math.abs(y - here) - Math.abs(x - here));
        for (const key of far.slice(0, mine.size - most_ranges)) mine.delete(key);
      }
      setTotal(answer.total);
      setError(undefined);
      onAnswer?.(answer);
      redraw();
    }, (failed: unknown) => {
      if (signal.aborted) return;
      mine.set(number, 'failed');
      setError(failed instanceof Error ? failed : new Error(String(failed)));
    });
  };
  const rowsInSight = (): [number, number] => {
    const first = Math.max(0, Math.floor(offset.current / rowHeight));
    return [first, Math.min(total ?? 0, first + Math.ceil(view / rowHeight) + 1)];
  };
  const fetchSight = (): void => {
    const [first, end] = rowsInSight();
    for (let number = Math.floor(first / range); number <= Math.floor(Math.max(first, end - 1) / range); ++number) fetchRange(number);
  };

  useEffect(() => {
    setActive(0);
    setError(undefined);
    if (pane.current) pane.current.scrollTop = 0;
    fetchRange(0);
    return () => {
      session.stop.abort();
      window.clearTimeout(settle.current);
      window.clearTimeout(fetching.current);
    };
  }, [session]);

  const rest = (): void => {
    const at = pane.current;
    if (!at || whole <= tallest) return;
    const place = most === 0 ? 0 : (offset.current / most) * (tall - view);
    before.current = Math.round(place);
    at.scrollTop = before.current;
    redraw();
  };
  const scroll = (): void => {
    const at = pane.current;
    if (!at) return;
    const moved = at.scrollTop - before.current;
    before.current = at.scrollTop;
    if (whole <= tallest) offset.current = at.scrollTop;
    else if (Math.abs(moved) < 2 * view && at.scrollTop > 0 && at.scrollTop < tall - view) offset.current = Math.min(most, Math.max(0, offset.current + moved));
    else if (moved !== 0) offset.current = (at.scrollTop / (tall - view)) * most;
    window.clearTimeout(settle.current);
    settle.current = window.setTimeout(rest, 160);
    // While the bar is dragged past thousands of rows, only the place where it stops is asked for.
    window.clearTimeout(fetching.current);
    fetching.current = window.setTimeout(fetchSight, Math.abs(moved) > view ? 90 : 0);
    redraw();
  };
  /** Brings a row into sight. */
  const show = (row: number): void => {
    const at = pane.current;
    const top = row * rowHeight;
    if (top < offset.current) offset.current = top;
    else if (top + rowHeight > offset.current + view - head.current) offset.current = Math.min(most, top + rowHeight - view + head.current);
    else return;
    if (at) {
      before.current = whole <= tallest ? offset.current : Math.round((offset.current / Math.max(1, most)) * (tall - view));
      at.scrollTop = before.current;
      before.current = at.scrollTop;
    }
    fetchSight();
  };
  const head = useRef(0);
  const move = (event: KeyboardEvent): void => {
    if (event.target !== pane.current || !total) return;
    const page = Math.max(1, Math.floor(view / rowHeight) - 1);
    const to: Record<string, number> = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page, Home: 0, End: total - 1 };
    const next = to[event.key];
    if (next !== undefined) {
      const kept = Math.min(total - 1, Math.max(0, next));
      setActive(kept);
      show(kept);
      redraw();
    } else if (event.key === 'Enter' && open) {
      const row = rowAt(active);
      if (row !== undefined) open(row, active);
    } else {
      return;
    }
    event.preventDefault();
  };
  const rowAt = (index: number): Row | undefined => {
    const part = session.held.get(Math.floor(index / range));
    return Array.isArray(part) ? part[index % range] : undefined;
  };
  useLayoutEffect(() => {
    head.current = pane.current?.querySelector<HTMLElement>('.v-head')?.offsetHeight ?? 0;
  });
  useEffect(() => {
    if (total !== undefined) fetchSight();
  }, [session, total, view]);

  const [first, end] = rowsInSight();
  const rows: JSX.Element[] = [];
  for (let index = Math.max(0, first - 4); index < Math.min(total ?? 0, end + 4); ++index) {
    const row = rowAt(index);
    const top = index * rowHeight - offset.current + before.current;
    rows.push(
      <div key={index} id={`row-${index}`} role="row" aria-rowindex={index + 2} aria-selected={index === active} class={`v-row ${layout}${index === active ? ' active' : ''}${row === undefined ? ' unknown' : ''}`}
        style={{ transform: `translateY(${top}px)`, height: `${rowHeight}px` }}
        onClick={(event) => {
          setActive(index);
          if (row !== undefined && open && !(event.target as Element).closest('a, button')) open(row, index);
        }}>
        {columns.map((column, k) => <div key={k} role="gridcell" class={`v-cell c-${k}${column.number ? ' n' : ''}`}>{row === undefined ? (k === 0 ? count(index + 1) : '\u2026') : column.cell(row, index)}</div>)}
      </div>);
  }
  return (
    <div class="virtual">
      {error && <Failure error={error} retry={() => {
        setError(undefined);
        for (const [number, part] of session.held) if (part === 'failed') session.held.delete(number);
        if (total === undefined) fetchRange(0);
        else fetchSight();
      }} />}
      <div ref={pane} class="v-pane" role="grid" tabIndex={0} aria-label={label} aria-rowcount={(total ?? -2) + 1} aria-busy={total === undefined} {...(total ? { 'aria-activedescendant': `row-${active}` } : {})}
        onScroll={scroll} onKeyDown={move} style={{ maxHeight: `${view}px`, '--least': `${least}px`, '--columns': String(columns.length) }}>
        <div class={`v-head ${layout}`} role="row" aria-rowindex={1}>
          {columns.map((column, k) => (
            <div key={k} role="columnheader" class={`v-cell c-${k}${column.number ? ' n' : ''}`} title={column.title}
              {...(column.sort !== undefined && sorted ? { 'aria-sort': sorted.by !== column.sort ? 'none' as const : sorted.reverse !== (column.descends ?? false) ? 'descending' as const : 'ascending' as const } : {})}>
              {column.sort !== undefined && onSort ? <button type="button" tabIndex={-1} onClick={() => onSort(column.sort ?? '')}>{column.name}{sorted?.by === column.sort ? (sorted.reverse !== (column.descends ?? false) ? ' \u2193' : ' \u2191') : ''}</button> : column.name}
            </div>
          ))}
        </div>
        <div class="v-space" role="rowgroup" style={{ height: `${tall}px` }}>{rows}</div>
      </div>
      {total === 0 && <p class="nothing">Nothing matches.</p>}
    </div>
  );
}
