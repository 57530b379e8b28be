// The facts of a report, as docs/formats/report.md describes report.json. A field that is empty, 0 or false is left
// out. Their types are those of the service's answers.

import type { Piece, Report as ReportFacts, ReportDocument, Section, ShownPair } from './answers';

export type {
  Anchor, Fact, GraphEdge, Histogram, ListItem, PairRow, Part, Piece, Plot, Report as ReportFacts, ReportDocument, Section, ShownPair, Table, Tile, Value,
} from './answers';
export type Mark = Piece['mark'];

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
