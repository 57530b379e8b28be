// Where the page's facts come from: one file, or a service. Views ask a Source and do not know which it is.

import type { Answers } from './answers';
import type { Reuse } from './reuse';
import type { Anchor, Fact, GraphEdge, ReportFacts, ShownPair, Tile } from './facts';

type ServedDecision = Answers['GET /decisions']['decisions'][number];
type ServedCluster = Answers['GET /clusters']['clusters'][number];

/** A record: its id, or file:record; the file; the number there, from 1. A report may know the id alone. */
export type RecordName = Pick<ServedCluster['first'], 'id'> & Partial<ServedCluster['first']>;

export type Judgment = Exclude<ServedDecision['decision'], 'none'>;

/** `record`: file:record, or an id. */
export type Decision = Pick<ServedDecision, 'record' | 'decision'> & Partial<ServedDecision>;

export interface About {
  version: string;
  title: string;
  output: string;
  /** A service answers; else the facts are all there is. */
  live: boolean;
  /** What there is to see. */
  views: ReadonlySet<'overview' | 'clusters' | 'map' | 'neighborhoods' | 'pairs' | 'lists' | 'versions' | 'paste' | 'decisions'>;
  /** A person may decide on records; false: none here, or read only. */
  decides: boolean;
  /** There is a list of all pages with versions; else they are asked for by URL. */
  lists_versions: boolean;
  documents?: number;
}

export interface ClusterQuery {
  search?: string;
  min_documents?: string;
  max_documents?: string;
  source?: string;
  kind?: string;
  /** "0.8:0.9"; an end may be left out. */
  resemblance?: string;
  sort?: string;
  reverse?: boolean;
}

export type ClusterRow = Omit<ServedCluster, 'first'> & { first: RecordName };

export interface Range<Row> {
  total: number;
  rows: Row[];
  /** Documents in all rows that match. */
  documents?: number;
}

export interface Member {
  name: RecordName;
  words: string | null;
  kind: string | null;
  resemblance: number | null;
  containment: number | null;
  fate: string;
  missing?: string;
  survivor?: RecordName | null;
  /** Instead of resemblance and containment. */
  facts?: Fact[];
}

export interface ClusterPage {
  cluster: number;
  documents: number;
  members: Member[];
  edges: GraphEdge[];
  threshold?: number;
  facts?: Fact[];
  links?: Anchor[];
  /** Of members that are not here. */
  note?: string;
}

export interface Tiles {
  tiles: Tile[];
  rest: Answers['GET /tiles']['rest'];
}

export interface PairPage extends Partial<ShownPair> {
  side_a: string;
  side_b: string;
}

export type ListAbout = Answers['GET /lists']['lists'][number];
export type Column = ListAbout['columns'][number];

export type Cell = unknown;

export type TrackedPage = Answers['GET /versions']['pages'][number];
export type Version = TrackedPage['versions'][number];

export type Answer = Answers['POST /query'];
export type Hit = Answer['hits'][number];
export type Interval = NonNullable<Hit['resemblance']>;

export interface PasteQuery {
  text: string;
  html: boolean;
  passages: boolean;
  resemblance: number;
}

export interface ShownRecord {
  text: string;
  cut: boolean;
  missing: string;
  facts: [string, string][];
}

export interface Source {
  about(): Promise<About>;
  overview(signal?: AbortSignal): Promise<ReportFacts>;
  /** Of the neighborhoods below a prefix and of its site. */
  reuse(at: string, signal?: AbortSignal): Promise<Reuse>;
  tiles(by: string, signal?: AbortSignal): Promise<Tiles>;
  clusters(query: ClusterQuery, offset: number, limit: number, signal?: AbortSignal): Promise<Range<ClusterRow>>;
  cluster(number: number, offset: number, limit: number, signal?: AbortSignal): Promise<ClusterPage>;
  pair(a: string, b: string, signal?: AbortSignal): Promise<PairPage>;
  record(name: string, signal?: AbortSignal): Promise<ShownRecord>;
  lists(signal?: AbortSignal): Promise<ListAbout[]>;
  rows(list: string, sort: string, reverse: boolean, search: string, offset: number, limit: number, signal?: AbortSignal): Promise<Range<Cell[]>>;
  versions(search: string, offset: number, limit: number, signal?: AbortSignal): Promise<Range<TrackedPage>>;
  versionsOf(url: string, signal?: AbortSignal): Promise<TrackedPage>;
  query(query: PasteQuery, signal?: AbortSignal): Promise<Answer>;
  compare(a: string, b: string, html: boolean, signal?: AbortSignal): Promise<PairPage>;
  /** The text of a hit; null: the index keeps none. */
  document(id: unknown, signal?: AbortSignal): Promise<string | null>;
  decisions(): Promise<Decision[]>;
  decide(decisions: Decision[]): Promise<void>;
}

/** An error that is told to a reader in its own words. */
export class SourceError extends Error {
  constructor(message: string, readonly code: string, readonly wait = 0) {
    super(message);
  }
}

/** A record as decisions name it. */
export function recordOf(name: RecordName): string {
  return name.file ? `${name.file}:${name.record ?? 0}` : name.id;
}
