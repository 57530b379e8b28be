// The facts of a report, as docs/formats/report.md describes report.json. A field that is empty, 0 or false is left
// out, and so is the first value of a choice.

export type Unit = 'text' | 'code' | 'count' | 'percent' | 'share' | 'bytes' | 'seconds' | 'sentence';
export type Color = 'kept' | 'identical' | 'lexical' | 'near' | 'contained' | 'filtered' | 'quarantined' | 'carried';
export type Mark = 'plain' | 'shared' | 'only' | 'moved' | 'label' | 'cut' | 'skipped';

export interface Value {
  unit?: Unit;
  string?: string;
  number?: number;
  whole?: number;
  real?: number;
  threshold?: number;
}

export interface Fact {
  name?: string;
  value?: Value;
  note?: string;
}

export interface ReportDocument {
  id?: string;
  file?: string;
  record?: number;
  words?: string;
}

export interface Part {
  name?: string;
  color?: Color;
  count?: number;
}

export interface Table {
  columns?: string[];
  rows?: Value[][];
}

export interface Bar {
  label?: string;
  range?: string;
  counts?: number[];
}

export interface Histogram {
  title?: string;
  across?: string;
  up?: string;
  series?: string[];
  logarithmic?: boolean;
  bars?: Bar[];
}

export interface Anchor {
  text?: string;
  section?: string;
  number?: number;
}

export interface GraphEdge {
  a?: number;
  b?: number;
  resemblance?: number;
}

export interface Graph {
  name?: Anchor;
  note?: string;
  threshold?: number;
  nodes?: { document?: ReportDocument; copies?: number }[];
  edges?: GraphEdge[];
}

export interface ListMember {
  document?: ReportDocument;
  facts?: Fact[];
}

export interface ListItem {
  documents?: ReportDocument[];
  facts?: Fact[];
  links?: Anchor[];
  members_name?: string;
  members?: ListMember[];
}

export interface Piece {
  mark?: Mark;
  text?: string;
}

export interface PairRow {
  same?: boolean;
  a?: Piece[];
  b?: Piece[];
}

export interface ShownPair {
  tag?: string;
  color?: Color;
  a?: ReportDocument;
  b?: ReportDocument;
  facts?: Fact[];
  rows?: PairRow[];
  more?: string;
}

export interface Tile {
  name?: string;
  count?: number;
  note?: string;
  link?: Anchor;
}

export interface Series {
  name?: string;
  points?: [number, number][];
  threshold?: number;
}

export interface Plot {
  title?: string;
  across?: string;
  up?: string;
  logarithmic?: boolean;
  series?: Series[];
}

export interface Section {
  name?: string;
  title?: string;
  lead?: string;
  numbers?: Fact[];
  parts?: Part[];
  tables?: Table[];
  histograms?: Histogram[];
  plots?: Plot[];
  tiles?: Tile[];
  graphs?: Graph[];
  list?: ListItem[];
  side_a?: string;
  side_b?: string;
  side_by_side?: ShownPair[];
}

export interface ReportFacts {
  format?: string;
  title?: string;
  output?: string;
  command?: string;
  started?: string;
  version?: string;
  folder?: string;
  warnings?: string[];
  sections?: Section[];
}

/** The pairs of all sections, in order; `reference` is what an anchor says: "pairs-3". */
export interface PlacedPair {
  reference: string;
  section: Section;
  pair: ShownPair;
}

export function pairsOf(facts: ReportFacts): PlacedPair[] {
  return (facts.sections ?? []).flatMap((section) =>
    (section.side_by_side ?? []).map((pair, i) => ({ reference: `${section.name ?? ''}-${i + 1}`, section, pair })));
}

export function sectionOf(facts: ReportFacts, name: string): Section | undefined {
  return facts.sections?.find((section) => section.name === name);
}

/** "Largest clusters" of dedup and cluster: the clusters that a report has. */
export const clusters_section = 'largest';

/** Whether the run removed records, so that a person can take some back. */
export function removesRecords(facts: ReportFacts): boolean {
  return facts.title === 'Near-duplicates';
}

export function nameOf(document: ReportDocument | undefined, folder: string): string {
  if (!document) return '';
  if (document.file) return `${folder}${document.file}:${document.record ?? 0}`;
  return document.id ?? '';
}
