// Who shows what is known from elsewhere: neighborhoods (URL prefixes and the pages below them) and pairs of sites, as
// the facts of a report have them.

import type { Fact, ListItem, ReportFacts, Table } from './facts';
import { sectionOf } from './facts';

export interface Neighborhood {
  prefix: string;
  bad: boolean;
  badness: number;
  pages: number;
  labeled_pages: number;
  chunks: number;
  labeled: number;
}

/** What `site` has of `known_from`. */
export interface Flow {
  site: string;
  known_from: string;
  share: number | undefined;
  pages: number;
  matches: number;
}

/** Labels of discovery by the site that has them first. */
export interface Origin {
  site: string;
  labels: number;
  times: number;
  pages: number;
}

export interface Reuse {
  places: Neighborhood[];
  flows: Flow[];
  /** All there are; a list may be cut. */
  all_places: number;
  all_flows: number;
  /** What flows count: "pages" and "matches". */
  units: [string, string];
  origins: Origin[];
  pages: ListItem[];
}

type Row = (name: string) => string | number;

function rowsOf(table: Table | undefined): Row[] {
  const columns = table?.columns ?? [];
  return (table?.rows ?? []).map((row) => (name) => {
    const value = row[columns.indexOf(name)];
    return value?.string ?? value?.real ?? value?.number ?? 0;
  });
}

/** "a.example/" of a URL. */
function siteOf(url: string): string {
  const host = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(url)?.[1];
  return host === undefined ? url.slice(0, url.lastIndexOf('/') + 1) || url : `${host}/`;
}

function originsOf(facts: ReportFacts): Origin[] {
  if (facts.title !== 'Discovered labels') return [];
  const origins = new Map<string, Origin>();
  for (const { documents, facts: numbers } of sectionOf(facts, 'labels')?.list ?? []) {
    const number = (...names: string[]): number => numbers?.find((fact: Fact) => names.includes(fact.name ?? ''))?.value.number ?? 0;
    const site = siteOf(documents?.[0]?.id ?? '');
    const origin = origins.get(site) ?? { site, labels: 0, times: 0, pages: 0 };
    origins.set(site, { site, labels: origin.labels + 1, times: origin.times + number('times'), pages: origin.pages + number('page', 'pages') });
  }
  return [...origins.values()].sort((a, b) => b.times - a.times);
}

/** Undefined: the report has nothing of the kind. */
export function reuseOf(facts: ReportFacts): Reuse | undefined {
  const places = rowsOf(sectionOf(facts, 'neighborhoods')?.tables?.[0]).map((row): Neighborhood => ({
    prefix: String(row('neighborhood')), bad: row('') === 'bad', badness: Number(row('badness')), pages: Number(row('pages')),
    labeled_pages: Number(row('with labels')), chunks: Number(row('chunks')), labeled: Number(row('labels')),
  }));
  const spans = rowsOf(sectionOf(facts, 'sources')?.tables?.[0]);
  const flows = spans.length > 0
    ? spans.map((row): Flow => ({ site: String(row('later')), known_from: String(row('earlier')), share: undefined, pages: Number(row('pairs of texts')), matches: Number(row('words')) }))
    : rowsOf(sectionOf(facts, 'reuse')?.tables?.[0]).map((row): Flow => ({ site: String(row('site')), known_from: String(row('known from')), share: Number(row('share')), pages: Number(row('pages')), matches: Number(row('matches')) }));
  const origins = originsOf(facts);
  if (places.length + flows.length + origins.length === 0) return undefined;
  return {
    places, flows, all_places: places.length, all_flows: flows.length, units: spans.length > 0 ? ['pairs of texts', 'words'] : ['pages', 'matches'], origins,
    pages: places.length > 0 ? sectionOf(facts, 'pages')?.list ?? [] : [],
  };
}

/** Does one of two prefixes hold the other? */
export function related(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

/** The neighborhoods below `at` that lie in no other one below it. */
export function topsOf(places: Neighborhood[], at: string): Neighborhood[] {
  const below = places.filter(({ prefix }) => prefix !== at && prefix.startsWith(at));
  const known = new Set(below.map(({ prefix }) => prefix));
  return below.filter(({ prefix }) => {
    for (let slash = prefix.indexOf('/', at.length); slash >= 0 && slash + 1 < prefix.length; slash = prefix.indexOf('/', slash + 1)) {
      if (known.has(prefix.slice(0, slash + 1))) return false;
    }
    return true;
  });
}
