// Neighborhoods of reuse as areas: hosts, and the paths below them.

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useApp, useLater } from '../hooks';
import { share } from '../numbers';
import type { Cell, ListAbout } from '../source';
import type { Area } from '../treemap';
import { TreeMap } from '../treemap';
import { Wait } from '../ui';

const most = 400;

interface Place {
  prefix: string;
  pages: number;
  badness: number;
}

/** The prefixes that hold no other one of the list: they do not overlap. */
function leaves(places: Place[]): Place[] {
  const parents = new Set<string>();
  for (const { prefix } of places) {
    for (const other of places) if (other.prefix !== prefix && prefix.startsWith(other.prefix) && /[/.:?]$|^$/.test(other.prefix)) parents.add(other.prefix);
  }
  return places.filter(({ prefix }) => !parents.has(prefix));
}

export function areasOf(list: ListAbout, rows: Cell[][]): Area[] {
  const column = (...names: string[]): number => list.columns.findIndex((each) => names.includes(each.name));
  const [prefix, pages, badness] = [column('prefix', 'neighborhood', 'url'), column('labeled_pages', 'pages'), column('badness', 'contains')];
  if (prefix < 0 || pages < 0) return [];
  const places = rows.map((row) => ({ prefix: String(row[prefix] ?? ''), pages: Number(row[pages] ?? 0), badness: badness < 0 ? NaN : Number(row[badness] ?? 0) }));
  return leaves(places).filter((place) => place.pages > 0).map((place) => ({
    name: place.prefix, count: place.pages, ...(Number.isNaN(place.badness) ? {} : { note: `badness ${share(place.badness)}` }),
  }));
}

export function Neighborhoods({ list }: { list: ListAbout }): JSX.Element {
  const { source } = useApp();
  const sort = list.columns.find((column) => column.name === 'labeled_pages' || column.name === 'pages')?.name ?? '';
  const later = useLater(`map ${list.name}`, (signal) => source.rows(list.name, sort, true, '', 0, most, signal));
  const areas = useMemo(() => areasOf(list, later.value?.rows ?? []), [list, later.value]);
  return <Wait later={later}>{() => (areas.length > 1 ? <TreeMap areas={areas} label="Neighborhoods by their pages with labels" unit="pages" /> : null)}</Wait>;
}
