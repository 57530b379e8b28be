// All clusters, found by what they hold: a search and filters, which are in the address, over a table of any length.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useApp, useDelayed, useLater, useWidth } from '../hooks';
import { count, counted, share } from '../numbers';
import type { Query, Route } from '../route';
import { go, replace, to } from '../route';
import type { ClusterQuery, ClusterRow, Range } from '../source';
import { Heading, Kind, Recorded } from '../ui';
import type { VirtualColumn } from '../virtual';
import { Virtual } from '../virtual';

const names = ['search', 'min_documents', 'max_documents', 'source', 'kind', 'resemblance', 'sort'] as const;

function Range2({ value, onChange }: { value: string; onChange: (value: string) => void }): JSX.Element {
  const [low = '', high = ''] = value.split(':');
  const set = (from: string, till: string): void => onChange(from === '' && till === '' ? '' : `${from}:${till}`);
  return (
    <fieldset class="field">
      <legend>Least resemblance</legend>
      <input type="number" min="0" max="1" step="0.01" value={low} aria-label="Least resemblance from" placeholder="0" onInput={(event) => set(event.currentTarget.value, high)} />
      <span aria-hidden="true">&ndash;</span>
      <input type="number" min="0" max="1" step="0.01" value={high} aria-label="Least resemblance to" placeholder="1" onInput={(event) => set(low, event.currentTarget.value)} />
    </fieldset>
  );
}

export function Clusters({ route }: { route: Route }): JSX.Element {
  const { source, about } = useApp();
  const [frame, width] = useWidth<HTMLDivElement>();
  const asked = Object.fromEntries(names.map((name) => [name, route.query.get(name) ?? ''])) as Record<(typeof names)[number], string>;
  const [typed, setTyped] = useState(asked);
  const reverse = route.query.get('reverse') === '1';
  const [askSources, setAskSources] = useState(false);
  const sources = useLater(`sources ${askSources}`, async (signal) => (askSources && about.live ? (await source.tiles('source', signal)).tiles.map((tile) => tile.name ?? '') : []));
  const [answer, setAnswer] = useState<Range<ClusterRow> | undefined>(undefined);
  useEffect(() => setTyped(asked), [route.query.toString()]);
  const write = (next: Record<string, string>, turned = reverse): void => replace(to('clusters', [], { ...next, reverse: turned } as Query));
  const later = useDelayed(250, () => write(typed));
  const set = (name: (typeof names)[number], value: string, now = false): void => {
    const next = { ...typed, [name]: value };
    setTyped(next);
    if (now) write(next);
    else later();
  };
  const query: ClusterQuery = { ...asked, reverse };
  const sort = asked.sort || 'documents';
  const used = names.filter((name) => name !== 'sort' && name !== 'search' && asked[name] !== '').length;
  const live = about.live;
  const narrow = width > 0 && width < 640;
  const columns: VirtualColumn<ClusterRow>[] = [
    { name: 'Cluster', cell: (row) => <a tabIndex={-1} href={to('cluster', [row.cluster])}>{count(row.cluster)}</a> },
    { name: 'First document', sort: 'first', cell: (row) => <><span class="one-line"><Recorded name={row.first} /></span>{row.words ? <bdi class="words one-line">{row.words}</bdi> : row.missing && <span class="note one-line">{row.missing}</span>}</> },
    { name: 'Documents', number: true, sort: 'documents', descends: true, cell: (row) => count(row.documents) },
    { name: 'Least', title: 'The least resemblance of its members', number: true, sort: 'resemblance', cell: (row) => (row.resemblance === null ? '' : share(row.resemblance)) },
    { name: 'Files', number: true, sort: 'sources', descends: true, cell: (row) => count(row.sources) },
    { name: 'Kinds', cell: (row) => Object.entries(row.kinds).filter(([, some]) => some > 0).map(([kind]) => <Kind key={kind}>{kind}</Kind>) },
  ];
  return (
    <>
      <Heading>Clusters</Heading>
      <form class="filters" role="search" onSubmit={(event) => {
        event.preventDefault();
        write(typed);
      }}>
        <label class="field grow">Search<input type="search" value={typed.search} placeholder={live ? 'id or file' : 'id, file or words'} onInput={(event) => set('search', event.currentTarget.value)} /></label>
        <label class="field">Order<select value={sort} onChange={(event) => set('sort', event.currentTarget.value, true)}>
          <option value="documents">most documents</option><option value="resemblance">least alike</option><option value="sources">most files</option><option value="first">as read</option>
        </select></label>
        <label class="field reverse"><span><input type="checkbox" checked={reverse} onChange={(event) => write(typed, event.currentTarget.checked)} /> reversed</span></label>
        <details class="more-filters" open={used > 0}>
          <summary>Filters{used > 0 && ` (${used})`}</summary>
          <div class="filters">
            <fieldset class="field">
              <legend>Documents</legend>
              <input type="number" min="1" value={typed.min_documents} placeholder="2" aria-label="Documents, at least" onInput={(event) => set('min_documents', event.currentTarget.value)} />
              <span aria-hidden="true">&ndash;</span>
              <input type="number" min="1" value={typed.max_documents} aria-label="Documents, at most" onInput={(event) => set('max_documents', event.currentTarget.value)} />
            </fieldset>
            <Range2 value={typed.resemblance} onChange={(value) => set('resemblance', value)} />
            <label class="field">Kind<select value={typed.kind} onChange={(event) => set('kind', event.currentTarget.value, true)}>
              <option value="">any</option><option>identical</option><option>lexical</option><option>shingles</option><option>near</option><option>contained</option>
            </select></label>
            <label class="field">Source file<input value={typed.source} list="sources" onInput={(event) => set('source', event.currentTarget.value)} onFocus={() => setAskSources(true)} /></label>
            <datalist id="sources">{(sources.value ?? []).map((name) => <option key={name} value={name} />)}</datalist>
            {used > 0 && <button type="button" class="plain" onClick={() => write({ search: typed.search, sort: typed.sort })}>Clear filters</button>}
          </div>
        </details>
      </form>
      <p class="counted" role="status">
        {answer && <>{counted(answer.total, 'cluster', 'clusters')}{answer.documents !== undefined && <> with {counted(answer.documents, 'document', 'documents')}</>}{live ? '' : ' in this report'}</>}
      </p>
      <div ref={frame}>
        {width > 0 && (
          <Virtual label="Clusters" layout="clusters-row" rowHeight={narrow ? 88 : 52} columns={columns} askKey={JSON.stringify(query)}
            ask={(offset, limit, signal) => source.clusters(query, offset, limit, signal)} onAnswer={setAnswer} open={(row) => go(to('cluster', [row.cluster]))}
            sorted={{ by: sort, reverse }} onSort={(by) => write({ ...typed, sort: by }, by === sort ? !reverse : false)}
            height={Math.max(320, Math.min(900, window.innerHeight - 240))} />
        )}
      </div>
    </>
  );
}
