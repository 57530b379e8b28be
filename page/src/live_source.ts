// The service's endpoints (its openapi.json). What goes wrong is said in words; a token is asked for once and kept for
// the tab.

import type { ReportFacts, ShownPair } from './facts';
import { SourceError } from './source';
import type {
  About, Answer, Cell, ClusterPage, ClusterQuery, ClusterRow, Decision, ListAbout, Member, PairPage, PasteQuery, Range, RecordName, ShownRecord, Source, Tiles, TrackedPage,
} from './source';

const kept_token = 'twinset token';
const patience = 30_000; // milliseconds

type Parameters = Record<string, string | number | boolean | undefined>;

interface AboutAnswer {
  version: string;
  index: { documents?: number } | null;
  run: { folder: string; verb: string; title?: string; decisions?: boolean } | null;
  read_only: boolean;
  needs_token: boolean;
}

function sessionToken(): string {
  try {
    return sessionStorage.getItem(kept_token) ?? '';
  } catch {
    return '';
  }
}

export class LiveSource implements Source {
  private token = '';
  /** The run has the versions of pages; else an index may know some. */
  private tracked = false;

  constructor() {
    const given = /^#token=([^&/?]+)$/.exec(location.hash)?.[1];
    if (given !== undefined) {
      this.setToken(decodeURIComponent(given));
      history.replaceState(null, '', '#/');
    } else {
      this.token = sessionToken();
    }
  }

  get hasToken(): boolean {
    return this.token !== '';
  }

  setToken(token: string): void {
    this.token = token;
    try {
      sessionStorage.setItem(kept_token, token);
    } catch {
      // Storage is forbidden: the token lasts as long as the page.
    }
  }

  private async ask<T>(path: string, { body, signal }: { body?: unknown; signal?: AbortSignal | undefined } = {}): Promise<T> {
    const stop = new AbortController();
    const give_up = (): void => stop.abort();
    signal?.addEventListener('abort', give_up);
    const timer = window.setTimeout(() => stop.abort(), patience);
    let response: Response;
    let text: string;
    try {
      response = await fetch(path, {
        method: body === undefined ? 'GET' : 'POST', signal: stop.signal, cache: 'no-store', credentials: 'same-origin',
        headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...(this.token === '' ? {} : { authorization: `Bearer ${this.token}` }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (error) {
      if (signal?.aborted) throw error;
      throw stop.signal.aborted ? new SourceError(`The service did not answer within ${patience / 1000} seconds.`, 'slow')
        : new SourceError('The service cannot be reached: it has stopped, or the connection is broken.', 'unreachable');
    } finally {
      window.clearTimeout(timer);
      signal?.removeEventListener('abort', give_up);
    }
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch {
      throw new SourceError(`The service gave an answer that is not JSON (${response.status}).`, 'answer');
    }
    if (response.ok) return answer as T;
    const said = (answer as { error?: { code?: string; message?: string } } | null)?.error;
    const message = said?.message || `The service refused (${response.status}).`;
    if (response.status === 401) throw new SourceError(message, 'token');
    const wait = Number(response.headers.get('retry-after')) || 0;
    const advice = wait > 0 ? ` Try again in ${wait === 1 ? 'a second' : `${wait} seconds`}.` : '';
    throw new SourceError(message + advice, said?.code ?? 'refused', wait);
  }

  private get<T>(path: string, parameters: Parameters, signal?: AbortSignal): Promise<T> {
    const asked = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      if (value === undefined || value === '' || value === false) continue;
      asked.set(name, String(value));
    }
    const tail = asked.toString();
    return this.ask<T>(`${path}${tail && `?${tail}`}`, { signal });
  }

  async about(): Promise<About> {
    const about = await this.ask<AboutAnswer>('/about');
    if (about.needs_token && this.token === '') throw new SourceError('This service asks for a token.', 'token');
    const views: string[] = [];
    if (about.run) {
      views.push('overview', 'lists', 'pairs');
      if (['dedup', 'cluster', 'recut'].includes(about.run.verb)) views.push('map', 'clusters');
      if (about.run.verb === 'track') views.push('versions');
      if (about.run.decisions) views.push('decisions');
    }
    this.tracked = about.run?.verb === 'track';
    if (about.index) views.push('versions', 'paste');
    return {
      version: about.version, title: about.run?.title ?? '', output: about.run?.folder ?? '', live: true, lists_versions: this.tracked, views: new Set(views) as About['views'],
      decides: Boolean(about.run?.decisions) && !about.read_only, ...(about.index?.documents === undefined ? {} : { documents: about.index.documents }),
    };
  }

  overview(signal?: AbortSignal): Promise<ReportFacts> {
    return this.get('/overview', {}, signal);
  }

  async tiles(by: string, signal?: AbortSignal): Promise<Tiles> {
    const { tiles, rest } = await this.get<{ tiles: { name: string; documents: number; cluster?: number | null }[]; rest: Tiles['rest'] }>('/tiles', { by, limit: 400 }, signal);
    return {
      rest,
      tiles: tiles.map((tile) => ({ name: tile.name, count: tile.documents, link: tile.cluster === null || tile.cluster === undefined ? { section: 'source', text: tile.name } : { section: 'cluster', number: tile.cluster } })),
    };
  }

  async clusters(query: ClusterQuery, offset: number, limit: number, signal?: AbortSignal): Promise<Range<ClusterRow>> {
    const { total, documents, clusters } = await this.get<{ total: number; documents: number; clusters: ClusterRow[] }>('/clusters', { ...query, offset, limit }, signal);
    return { total, documents, rows: clusters };
  }

  async cluster(number: number, offset: number, limit: number, signal?: AbortSignal): Promise<ClusterPage> {
    type Told = RecordName & { kind: string | null; resemblance: number | null; containment: number | null; survivor: RecordName | null; words: string | null; missing?: string; fate: string };
    const found = await this.get<{ cluster: number; documents: number; members: Told[]; edges: [number, number, number | null][] }>(`/clusters/${number}`, { offset, limit }, signal);
    const members: Member[] = found.members.map((each) => ({
      name: { id: each.id, ...(each.file ? { file: each.file, record: each.record ?? 0 } : {}) }, words: each.words ?? null, kind: each.kind ?? null, resemblance: each.resemblance ?? null, containment: each.containment ?? null, fate: each.fate,
      survivor: each.survivor ?? null, ...(each.missing ? { missing: each.missing } : {}),
    }));
    return { cluster: found.cluster, documents: found.documents, members, edges: found.edges.map(([a, b, resemblance]) => ({ a, b, ...(resemblance === null ? {} : { resemblance }) })) };
  }

  async pair(a: string, b: string, signal?: AbortSignal): Promise<PairPage> {
    const pair = await this.get<ShownPair & { side_a?: string; side_b?: string }>('/pair', { a, b }, signal);
    return { ...pair, side_a: pair.side_a ?? 'first', side_b: pair.side_b ?? 'second' };
  }

  async record(name: string, signal?: AbortSignal): Promise<ShownRecord> {
    const { text, cut, missing, ...rest } = await this.get<{ text?: string; cut?: boolean; missing?: string } & Record<string, unknown>>('/record', { name }, signal);
    const facts = Object.entries(rest).filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
      .map(([key, value]): [string, string] => [key.replace(/_/g, ' '), typeof value === 'object' ? JSON.stringify(value) : String(value)]);
    return { text: text ?? '', cut: cut ?? false, missing: missing ?? '', facts };
  }

  async lists(signal?: AbortSignal): Promise<ListAbout[]> {
    return (await this.get<{ lists: ListAbout[] }>('/lists', {}, signal)).lists;
  }

  rows(list: string, sort: string, reverse: boolean, search: string, offset: number, limit: number, signal?: AbortSignal): Promise<Range<Cell[]>> {
    return this.get(`/lists/${encodeURIComponent(list)}`, { offset, limit, sort, reverse, search }, signal);
  }

  async versions(search: string, offset: number, limit: number, signal?: AbortSignal): Promise<Range<TrackedPage>> {
    const { total, pages } = await this.get<{ total: number; pages: TrackedPage[] }>('/versions', { offset, limit, search }, signal);
    return { total, rows: pages };
  }

  async versionsOf(url: string, signal?: AbortSignal): Promise<TrackedPage> {
    if (!this.tracked) return this.ask('/track', { body: { url }, signal });
    const { pages } = await this.get<{ pages: TrackedPage[] }>('/versions', { url }, signal);
    return pages[0] ?? { url, versions: [] };
  }

  query({ text, html, passages, resemblance }: PasteQuery, signal?: AbortSignal): Promise<Answer> {
    return this.ask('/query', { body: { text, html, passages, resemblance, top: 20 }, signal });
  }

  async compare(a: string, b: string, html: boolean, signal?: AbortSignal): Promise<PairPage> {
    const pair = await this.ask<ShownPair>('/compare', { body: { a, b, ...(html ? { html } : {}) }, signal });
    return { rows: pair.rows ?? [], side_a: 'pasted text', side_b: 'document', ...(pair.more ? { more: pair.more } : {}) };
  }

  async document(id: unknown, signal?: AbortSignal): Promise<string | null> {
    const found = await this.ask<{ text: string | null }>('/document', { body: { id: typeof id === 'string' ? id : JSON.stringify(id) }, signal });
    return found.text ?? null;
  }

  async decisions(): Promise<Decision[]> {
    return (await this.get<{ decisions: Decision[] }>('/decisions', {})).decisions;
  }

  async decide(decisions: Decision[]): Promise<void> {
    await this.ask('/decisions', { body: { decisions: decisions.map(({ record, decision }) => ({ record, decision })) } });
  }
}
