// The lists that a run wrote, each a table of any length.

import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useApp, useDelayed, useLater } from '../hooks';
import { bytes, count, counted, seconds, share } from '../numbers';
import type { Query, Route } from '../route';
import { replace, to } from '../route';
import type { Cell, Column, ListAbout, Range } from '../source';
import { Heading, Wait } from '../ui';
import { Virtual } from '../virtual';

const titles: Record<string, string> = {
  removed: 'Removed records', clusters: 'Clusters', pairs: 'Pairs', spans: 'Spans', pages: 'Pages', matches: 'Matches', neighborhoods: 'Neighborhoods', reuse: 'Who reuses whom', recursion: 'Recursion errors', changes: 'Changes',
};

export function titleOf(name: string): string {
  return titles[name] ?? name;
}

export function cellText(value: Cell, unit: string | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') {
    switch (unit) {
      case 'share': return share(value);
      case 'bytes': return bytes(value);
      case 'seconds': return seconds(value);
      default: return Number.isInteger(value) ? count(value) : String(value);
    }
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const isNumeric = (column: Column): boolean => ['count', 'share', 'bytes', 'seconds', 'percent'].includes(column.unit ?? '');

function cell(column: Column, value: Cell): ComponentChildren {
  const shown = cellText(value, column.unit);
  if (isNumeric(column) || shown === '') return shown;
  const names = ['id', 'removed_id', 'survivor_id', 'id_a', 'id_b'];
  return names.includes(column.name) ? <a tabIndex={-1} href={to('record', [], { name: shown })}><bdi>{shown}</bdi></a> : <bdi title={shown}>{shown}</bdi>;
}

export function Lists(): JSX.Element {
  const { source } = useApp();
  const later = useLater('lists', (signal) => source.lists(signal));
  return (
    <>
      <Heading>Lists</Heading>
      <Wait later={later}>
        {(lists) => (lists.length === 0 ? <p class="nothing">This run wrote no list.</p> : (
          <ol class="items">
            {lists.map((list, i) => (
              <li key={list.name}>
                <span class="number" aria-hidden="true">{i + 1}</span>
                <div class="what"><p><a href={to('list', [list.name])}>{titleOf(list.name)}</a></p><p class="note">{list.columns.map((column) => column.name).join(', ')}</p></div>
                <div class="facts"><span class="fact first"><b>{count(list.rows)}</b> {list.rows === 1 ? 'row' : 'rows'}</span></div>
              </li>
            ))}
          </ol>
        ))}
      </Wait>
    </>
  );
}

function Rows({ list, route }: { list: ListAbout; route: Route }): JSX.Element {
  const { source } = useApp();
  const [answer, setAnswer] = useState<Range<Cell[]> | undefined>(undefined);
  const search = route.query.get('search') ?? '';
  const sort = route.query.get('sort') ?? '';
  const reverse = route.query.get('reverse') === '1';
  const [typed, setTyped] = useState(search);
  const write = (query: Query): void => replace(to('list', [list.name], { search: typed, sort, reverse, ...query }));
  const later = useDelayed(250, () => write({}));
  return (
    <>
      <form class="filters" role="search" onSubmit={(event) => {
        event.preventDefault();
        write({});
      }}>
        <label class="field grow">Search<input type="search" value={typed} onInput={(event) => {
          setTyped(event.currentTarget.value);
          later();
        }} /></label>
      </form>
      <p class="counted" role="status">{answer && counted(answer.total, 'row', 'rows')}</p>
      <div class="list-frame">
        <Virtual label={titleOf(list.name)} layout="list-row" rowHeight={36} least={110 * list.columns.length} askKey={`${list.name} ${sort} ${reverse} ${search}`}
          ask={(offset, limit, signal) => source.rows(list.name, sort, reverse, search, offset, limit, signal)} onAnswer={setAnswer}
          columns={list.columns.map((column, k) => ({ name: column.name, ...(column.help ? { title: column.help } : {}), number: isNumeric(column), sort: column.name, cell: (row: Cell[]) => cell(column, row[k]) }))}
          sorted={{ by: sort, reverse }} onSort={(by) => write({ sort: by, reverse: by === sort && !reverse })} height={Math.max(320, Math.min(900, window.innerHeight - 240))} />
      </div>
    </>
  );
}

export function ListView({ route }: { route: Route }): JSX.Element {
  const { source } = useApp();
  const name = route.path[0] ?? '';
  const later = useLater('lists', (signal) => source.lists(signal));
  return (
    <>
      <Heading over={<a href={to('lists')}>Lists</a>}>{titleOf(name)}</Heading>
      <Wait later={later}>
        {(lists) => {
          const list = lists.find((each) => each.name === name);
          if (!list) return <p class="nothing">This run wrote no such list.</p>;
          return <Rows list={list} route={route} />;
        }}
      </Wait>
    </>
  );
}
