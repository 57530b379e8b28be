// The facts that are in the page itself: a report in one file, which asks nobody. What it does not hold it says.

import { clusters_section, nameOf, pairsOf, removesRecords, sectionOf } from './facts';
import type { GraphEdge, ListItem, ReportDocument, ReportFacts, Tile } from './facts';
import { reuseOf } from './reuse';
import type { Reuse } from './reuse';
import { SourceError } from './source';
import type {
  About, Answer, Cell, ClusterPage, ClusterQuery, ClusterRow, Decision, ListAbout, Member, PairPage, Range, RecordName, ShownRecord,
  Source, Tiles, TrackedPage,
} from './source';

function absent(): never {
  throw new SourceError('This report does not hold it. `twinset serve` shows all that a run found.', 'absent');
}

function factOf(item: ListItem, name: string): number | undefined {
  const value = item.facts?.find((fact) => fact.name === name)?.value;
  return value?.unit === 'share' ? value.real : value?.number;
}

export class FactsSource implements Source {
  private readonly key: string;

  constructor(private readonly facts: ReportFacts) {
    this.key = `twinset decisions ${facts.output ?? ''} ${facts.started ?? ''}`;
  }

  private name(document: ReportDocument | undefined): RecordName {
    const name = nameOf(document, this.facts.folder ?? '');
    const file = document?.file ? (this.facts.folder ?? '') + document.file : undefined;
    return { id: document?.id || name, ...(file ? { file, record: document?.record ?? 0 } : {}) };
  }

  private items(): ListItem[] {
    return sectionOf(this.facts, clusters_section)?.list ?? [];
  }

  private tiled(): Tile[] {
    return sectionOf(this.facts, clusters_section)?.tiles ?? [];
  }

  async about(): Promise<About> {
    const views: string[] = ['overview'];
    if (this.items().length > 0) views.push('clusters');
    if (this.tiled().length > 0) views.push('map');
    if (pairsOf(this.facts).length > 0) views.push('pairs');
    if (removesRecords(this.facts)) views.push('decisions');
    return {
      version: this.facts.version ?? '', title: this.facts.title ?? '', output: this.facts.output ?? '',
      views: new Set(views) as About['views'], decides: removesRecords(this.facts), live: false, lists_versions: false,
    };
  }

  async overview(): Promise<ReportFacts> {
    return this.facts;
  }

  async reuse(): Promise<Reuse> {
    return reuseOf(this.facts) ?? absent();
  }

  async tiles(): Promise<Tiles> {
    return { tiles: this.tiled(), rest: { clusters: 0, documents: 0 } };
  }

  private row(item: ListItem, index: number): ClusterRow {
    const kinds: ClusterRow['kinds'] = {};
    for (const kind of ['identical', 'lexical', 'contained'] as const) {
      const some = factOf(item, kind);
      if (some) kinds[kind] = some;
    }
    return {
      cluster: index + 1,
      documents: factOf(item, 'records') ?? factOf(item, 'documents') ?? 0,
      first: this.name(item.documents?.[0]),
      words: item.documents?.[0]?.words ?? null,
      resemblance: factOf(item, 'lowest resemblance') ?? null,
      kinds,
      sources: factOf(item, 'files') ?? 0,
    };
  }

  async clusters(query: ClusterQuery, offset: number, limit: number): Promise<Range<ClusterRow>> {
    const words = (query.search ?? '').toLowerCase();
    const [low = 0, high = 1] = (query.resemblance ?? '').split(':').map((end, i) => (end === '' ? i : Number(end)));
    const kept = this.items().map((item, i) => ({ item, row: this.row(item, i) })).filter(({ item, row }) => {
      const documents = [...(item.documents ?? []), ...(item.members ?? []).map((member) => member.document)];
      if (words !== '' && !documents.some((document) => `${document?.id} ${document?.file} ${document?.words}`.toLowerCase().includes(words))) return false;
      if (query.min_documents && row.documents < Number(query.min_documents)) return false;
      if (query.max_documents && row.documents > Number(query.max_documents)) return false;
      if (query.source && !documents.some((document) => document?.file?.includes(query.source ?? ''))) return false;
      if (query.kind && !row.kinds[query.kind as keyof typeof row.kinds]) return false;
      if (query.resemblance && (row.resemblance === null || row.resemblance < low || row.resemblance > high)) return false;
      return true;
    }).map(({ row }) => row);
    const order: Record<string, (row: ClusterRow) => number> = {
      documents: (row) => -row.documents, resemblance: (row) => row.resemblance ?? 2, sources: (row) => -row.sources, first: (row) => row.cluster,
    };
    const by = order[query.sort || 'documents'] ?? ((row: ClusterRow) => row.cluster);
    kept.sort((a, b) => by(a) - by(b) || a.cluster - b.cluster);
    if (query.reverse) kept.reverse();
    return { total: kept.length, rows: kept.slice(offset, offset + limit), documents: kept.reduce((sum, row) => sum + row.documents, 0) };
  }

  async cluster(number: number): Promise<ClusterPage> {
    const item = this.items()[number - 1];
    if (!item) throw new SourceError(`This report has no cluster ${number}.`, 'absent');
    const removes = removesRecords(this.facts);
    const member = (document: ReportDocument | undefined, fate: string): Member => ({
      name: this.name(document), words: document?.words ?? null, kind: null, resemblance: null, containment: null, fate,
    });
    const row = this.row(item, number - 1);
    const link = item.links?.find((each) => each.section === 'shapes');
    const graph = link && sectionOf(this.facts, 'shapes')?.graphs?.[(link.number ?? 0) - 1];
    const whole = { cluster: number, documents: row.documents, ...(item.facts ? { facts: item.facts } : {}), links: (item.links ?? []).filter((each) => each !== link) };
    if (graph) {
      return {
        ...whole, edges: graph.edges ?? [], threshold: graph.threshold ?? 0, note: graph.note ?? '',
        members: (graph.nodes ?? []).map(({ document, copies }, i) => ({
          ...member(document, 'clustered'), words: i === 0 ? row.words : null,
          facts: copies && copies > 1 ? [{ name: 'copies', value: { unit: 'count', number: copies } }] : [],
        })),
      };
    }
    const survivor = item.documents?.[0];
    const edges: GraphEdge[] = [];
    const members = [member(survivor, removes ? 'kept' : 'clustered')];
    for (const each of item.members ?? []) {
      const share = each.facts?.find((fact) => fact.value?.unit === 'share');
      edges.push({ a: 0, b: members.length, resemblance: share?.value?.real ?? 0 });
      members.push({ ...member(each.document, removes ? 'removed' : 'clustered'), kind: share?.name ?? null, facts: each.facts ?? [], survivor: this.name(survivor) });
    }
    return { ...whole, members, edges, ...(members.length < row.documents && item.members_name ? { note: item.members_name } : {}) };
  }

  async pair(a: string, b: string): Promise<PairPage> {
    const folder = this.facts.folder ?? '';
    const is = (document: ReportDocument | undefined, name: string): boolean => nameOf(document, folder) === name || document?.id === name;
    const found = pairsOf(this.facts).find(({ pair }) => is(pair.a, a) && is(pair.b, b));
    if (!found) return absent();
    return { ...found.pair, side_a: found.section.side_a ?? 'a', side_b: found.section.side_b ?? 'b' };
  }

  async decisions(): Promise<Decision[]> {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(this.key) ?? '[]');
      return Array.isArray(kept) ? kept.filter((each): each is Decision =>
        typeof each === 'object' && each !== null && typeof (each as Decision).record === 'string' && ['restore', 'remove'].includes((each as Decision).decision)) : [];
    } catch {
      return []; // Storage is forbidden, or another wrote there: decisions last as long as the page.
    }
  }

  async decide(decisions: Decision[]): Promise<void> {
    const kept = new Map((await this.decisions()).map((each) => [each.record, each]));
    for (const each of decisions) {
      if (each.decision === 'none') kept.delete(each.record);
      else kept.set(each.record, each);
    }
    try {
      localStorage.setItem(this.key, JSON.stringify([...kept.values()]));
    } catch {
      // As above: the page says that they must be downloaded.
    }
  }

  async record(): Promise<ShownRecord> {
    return absent();
  }
  async lists(): Promise<ListAbout[]> {
    return absent();
  }
  async rows(): Promise<Range<Cell[]>> {
    return absent();
  }
  async versions(): Promise<Range<TrackedPage>> {
    return absent();
  }
  async versionsOf(): Promise<TrackedPage> {
    return absent();
  }
  async query(): Promise<Answer> {
    return absent();
  }
  async compare(): Promise<PairPage> {
    return absent();
  }
  async document(): Promise<string | null> {
    return absent();
  }
}

