// The service's endpoints (its openapi.json). What goes wrong is said in words; a token is asked for once and kept for
// the tab.

import type { Answers, Requests } from './answers';
import type { ReportFacts, ShownPair } from './facts';
import { reuseOf } from './reuse';
import type { Reuse } from './reuse';
import { SourceError } from './source';
import type {
  About, Answer, Cell, ClusterPage, ClusterQuery, ClusterRow, Decision, ListAbout, PairPage, PasteQuery, Range, ShownRecord, Source, Tiles, TrackedPage,
} from './source';

const kept_token = 'twinset token';
const patience = 30_000; // milliseconds
const most_listed = 400; // neighborhoods, pairs of sites

/** An address holds texts: what a reader wrote there may be no number, and the service says so. */
type Asked<Route extends keyof Requests> = Route extends `GET ${string}` ? { [Name in keyof Requests[Route]]: Requests[Route][Name] | string } : Requests[Route];

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
  /** The run has lists of neighborhoods and of who reuses whom. */
  private detected = false;

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

  /** `names` take the place of those in the route's braces. */
  private async ask<Route extends keyof Requests & keyof Answers>(route: Route, request: Asked<Route>, signal?: AbortSignal, names: Record<string, string | number> = {}): Promise<Answers[Route]> {
    const [method = '', pattern = ''] = route.split(' ');
    let path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''));
    const body = method === 'POST' ? JSON.stringify(request) : undefined;
    if (body === undefined) {
      const asked = new URLSearchParams();
      for (const [name, value] of Object.entries(request)) if (value !== undefined && value !== '' && value !== false) asked.set(name, String(value));
      path += `${asked}` && `?${asked}`;
    }
    const stop = new AbortController();
    const give_up = (): void => stop.abort();
    signal?.addEventListener('abort', give_up);
    const timer = window.setTimeout(() => stop.abort(), patience);
    let response: Response;
    let text: string;
    try {
      response = await fetch(path, {
        method, signal: stop.signal, cache: 'no-store', credentials: 'same-origin',
        headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...(this.token === '' ? {} : { authorization: `Bearer ${this.token}` }) },
        ...(body === undefined ? {} : { body }),
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
    if (response.ok) return answer as Answers[Route];
    const said = (answer as { error?: { code?: string; message?: string } } | null)?.error;
    const message = said?.message || `The service refused (${response.status}).`;
    if (response.status === 401) throw new SourceError(message, 'token');
    const wait = Number(response.headers.get('retry-after')) || 0;
    const advice = wait > 0 ? ` Try again in ${wait === 1 ? 'a second' : `${wait} seconds`}.` : '';
    throw new SourceError(message + advice, said?.code ?? 'refused', wait);
  }

  async about(): Promise<About> {
    const about = await this.ask('GET /about', {});
    if (about.needs_token && this.token === '') throw new SourceError('This service asks for a token.', 'token');
    const views: string[] = [];
    if (about.run) {
      views.push('overview', 'lists', 'pairs');
      if (['dedup', 'cluster', 'recut'].includes(about.run.verb)) views.push('map', 'clusters');
      if (about.run.verb === 'track') views.push('versions');
      if (about.run.decisions) views.push('decisions');
    }
    this.tracked = about.run?.verb === 'track';
    this.detected = about.run?.verb === 'detect';
    if (this.detected) views.push('neighborhoods');
    if (about.index) views.push('versions', 'paste');
    return {
      version: about.version, title: about.run?.title ?? '', output: about.run?.folder ?? '', live: true, lists_versions: this.tracked, views: new Set(views) as About['views'],
      decides: Boolean(about.run?.decisions) && !about.read_only, ...(about.index?.documents === undefined ? {} : { documents: about.index.documents }),
    };
  }

  overview(signal?: AbortSignal): Promise<ReportFacts> {
    return this.ask('GET /overview', {}, signal);
  }

  async reuse(at: string, signal?: AbortSignal): Promise<Reuse> {
    if (!this.detected) {
      const reuse = reuseOf(await this.overview(signal));
      if (reuse) return reuse;
      throw new SourceError('The report of this run does not say who reuses whom.', 'absent');
    }
    const list = async (name: string, sort: string, search: string): Promise<{ total: number; rows: ((column: string) => Cell)[] }> => {
      const columns = (await this.lists(signal)).find((each) => each.name === name)?.columns.map((column) => column.name) ?? [];
      const { total, rows } = await this.rows(name, sort, true, search, 0, most_listed, signal);
      return { total, rows: rows.map((row) => (column) => row[columns.indexOf(column)]) };
    };
    const [places, flows] = await Promise.all([list('neighborhoods', 'labeled_pages', at), list('reuse', 'matches', /^\/?[^/]*\/?/.exec(at)?.[0] ?? '')]);
    return {
      places: places.rows.map((row) => ({
        prefix: String(row('prefix')), bad: row('bad') === true, badness: Number(row('badness')), pages: Number(row('pages')), labeled_pages: Number(row('labeled_pages')), chunks: Number(row('chunks')), labeled: Number(row('labeled')),
      })),
      flows: flows.rows.map((row) => ({ site: String(row('site')), known_from: String(row('known_from') ?? ''), share: Number(row('share')), pages: Number(row('pages')), matches: Number(row('matches')) })),
      all_places: places.total, all_flows: flows.total, units: ['pages', 'matches'], origins: [], pages: [],
    };
  }

  async tiles(by: string, signal?: AbortSignal): Promise<Tiles> {
    const { tiles, rest } = await this.ask('GET /tiles', { by, limit: 400 }, signal);
    return {
      rest,
      tiles: tiles.map(({ name, documents, cluster }) => ({ name, count: documents, link: cluster === null ? { section: 'source', text: name } : { section: 'cluster', number: cluster } })),
    };
  }

  async clusters(query: ClusterQuery, offset: number, limit: number, signal?: AbortSignal): Promise<Range<ClusterRow>> {
    const { total, documents, clusters } = await this.ask('GET /clusters', { ...query, offset, limit }, signal);
    return { total, documents, rows: clusters };
  }

  async cluster(number: number, offset: number, limit: number, signal?: AbortSignal): Promise<ClusterPage> {
    const { cluster, documents, members, edges } = await this.ask('GET /clusters/{cluster}', { offset, limit }, signal, { cluster: number });
    return {
      cluster, documents, edges: edges.map(([a, b, resemblance]) => ({ a, b, ...(resemblance === null ? {} : { resemblance }) })),
      members: members.map(({ id, file, record, ...rest }) => ({ name: file ? { id, file, record } : { id }, ...rest })),
    };
  }

  async pair(a: string, b: string, signal?: AbortSignal): Promise<PairPage> {
    const pair: ShownPair = await this.ask('GET /pair', { a, b }, signal);
    return { ...pair, side_a: 'first', side_b: 'second' };
  }

  async record(name: string, signal?: AbortSignal): Promise<ShownRecord> {
    const { text, cut, missing, ...rest } = await this.ask('GET /record', { name }, signal);
    const facts = Object.entries(rest).filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
      .map(([key, value]): [string, string] => [key.replace(/_/g, ' '), typeof value === 'object' ? JSON.stringify(value) : String(value)]);
    return { text: text ?? '', cut, missing: missing ?? '', facts };
  }

  async lists(signal?: AbortSignal): Promise<ListAbout[]> {
    return (await this.ask('GET /lists', {}, signal)).lists;
  }

  async rows(list: string, sort: string, reverse: boolean, search: string, offset: number, limit: number, signal?: AbortSignal): Promise<Range<Cell[]>> {
    const { total, rows } = await this.ask('GET /lists/{list}', { offset, limit, sort, reverse, search }, signal, { list });
    return { total, rows: rows as Cell[][] };
  }

  async versions(search: string, offset: number, limit: number, signal?: AbortSignal): Promise<Range<TrackedPage>> {
    const { total, pages } = await this.ask('GET /versions', { offset, limit, search }, signal);
    return { total, rows: pages };
  }

  async versionsOf(url: string, signal?: AbortSignal): Promise<TrackedPage> {
    if (!this.tracked) return this.ask('POST /track', { url }, signal);
    const { pages } = await this.ask('GET /versions', { url }, signal);
    return pages[0] ?? { url, part: 1, versions: [], born: false, gone: false };
  }

  query({ text, html, passages, resemblance }: PasteQuery, signal?: AbortSignal): Promise<Answer> {
    return this.ask('POST /query', { text, html, passages, resemblance, top: 20 }, signal);
  }

  async compare(a: string, b: string, html: boolean, signal?: AbortSignal): Promise<PairPage> {
    const pair: ShownPair = await this.ask('POST /compare', { a, b, ...(html ? { html } : {}) }, signal);
    return { rows: pair.rows ?? [], side_a: 'pasted text', side_b: 'document', ...(pair.more ? { more: pair.more } : {}) };
  }

  async document(id: unknown, signal?: AbortSignal): Promise<string | null> {
    return (await this.ask('POST /document', { id: typeof id === 'string' ? id : JSON.stringify(id) }, signal)).text ?? null;
  }

  async decisions(): Promise<Decision[]> {
    return (await this.ask('GET /decisions', {})).decisions;
  }

  async decide(decisions: Decision[]): Promise<void> {
    await this.ask('POST /decisions', { decisions: decisions.map(({ record, decision }) => ({ record, decision })) });
  }
}
