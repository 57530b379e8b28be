// The versions of a page as a line of time, and a list of the pages.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useApp, useDelayed, useLater, useWidth } from '../hooks';
import { count, counted, share } from '../numbers';
import type { Route } from '../route';
import { go, replace, to } from '../route';
import type { Range, TrackedPage, Version } from '../source';
import { Heading, Kind, Wait } from '../ui';
import { dateMark, timely } from '../scale';
import { Virtual } from '../virtual';

const height = 96;

function dateOf(text: string): number {
  const time = Date.parse(text);
  return Number.isNaN(time) ? NaN : time;
}

const isKnown = (value: number | null | undefined): value is number => value !== null && value !== undefined;

export function Timeline({ page }: { page: TrackedPage }): JSX.Element {
  const [frame, width] = useWidth<HTMLDivElement>();
  const [at, setAt] = useState<number | undefined>(undefined);
  const times = page.versions.map((version) => dateOf(version.date));
  const known = times.filter((time) => !Number.isNaN(time));
  const low = Math.min(...known);
  const high = Math.max(...known);
  const x = timely([low, high > low ? high : low + 86_400_000], [16, Math.max(80, width - 16)], Math.max(2, Math.floor(width / 110)));
  const bottom = height - 22;
  const told = (version: Version): string => `${version.date}: ${version.kind ?? 'first seen'}${isKnown(version.resemblance) ? `, resemblance ${share(version.resemblance)}` : ''}`;
  const move = (event: KeyboardEvent): void => {
    const last = page.versions.length - 1;
    const next: Record<string, number> = { ArrowLeft: (at ?? last + 1) - 1, ArrowRight: (at ?? -1) + 1, Home: 0, End: last };
    const to_ = next[event.key];
    if (to_ === undefined) return;
    event.preventDefault();
    setAt(Math.min(last, Math.max(0, to_)));
  };
  return (
    <figure class="chart wide">
      <figcaption>{counted(page.versions.length, 'version', 'versions')} <span class="quiet">taller: changed more</span></figcaption>
      <div class="drawing" ref={frame} tabIndex={0} role="group" aria-label="Versions by date: arrow keys read them" onKeyDown={move} onMouseLeave={() => setAt(undefined)} onBlur={() => setAt(undefined)}>
        {width > 0 && known.length > 0 && (
          <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
            <line class="axis" x1="8" x2={width - 8} y1={bottom} y2={bottom} />
            {x.marks.map((tick) => <text key={tick} class="tick" x={x(tick)} y={height - 6} text-anchor="middle">{dateMark(tick, (x.marks[1] ?? high) - (x.marks[0] ?? low))}</text>)}
            {page.versions.map((version, i) => {
              const time = times[i] ?? NaN;
              if (Number.isNaN(time)) return null;
              const changed = version.kind === 'same' ? 0 : 1 - (version.resemblance ?? (i === 0 ? 0.4 : 1));
              const tall = 8 + 56 * changed;
              return (
                <g key={i} class={`version v-${version.kind ?? 'first'}${i === at ? ' at' : ''}`} onMouseEnter={() => setAt(i)}>
                  <rect class="hit" x={x(time) - 6} y="4" width="12" height={bottom - 4} />
                  <line x1={x(time)} x2={x(time)} y1={bottom - tall} y2={bottom} />
                  <circle cx={x(time)} cy={bottom - tall} r={i === at ? 4.5 : 3} />
                </g>
              );
            })}
          </svg>
        )}
      </div>
      <p class="reading" aria-live="polite">{at !== undefined && page.versions[at] ? told(page.versions[at]) : '\u00a0'}</p>
    </figure>
  );
}

function OnePage({ url }: { url: string }): JSX.Element {
  const { source } = useApp();
  const later = useLater(`versions ${url}`, (signal) => source.versionsOf(url, signal));
  return (
    <>
      <Heading over={<a href={to('versions')}>Versions</a>}><bdi>{url}</bdi></Heading>
      <Wait later={later}>
        {(page) => (page.versions.length === 0 ? <p class="nothing">No version of it is known.</p> : (
          <>
            <p class="fact-line">
              {page.born && <Kind>born</Kind>} {page.gone && <Kind>gone</Kind>}
              {page.moved_from && <span class="fact">came from <a href={to('versions', [], { url: page.moved_from })}><bdi>{page.moved_from}</bdi></a> </span>}
              {page.moved_to && <span class="fact">moved to <a href={to('versions', [], { url: page.moved_to })}><bdi>{page.moved_to}</bdi></a> </span>}
              {isKnown(page.recrawl_days) && <span class="fact">read it again after <b>{Number(page.recrawl_days.toPrecision(2))}</b> days </span>}
            </p>
            <Timeline page={page} />
            <div class="scroll" tabIndex={0} role="region" aria-label="Versions">
              <table>
                <thead><tr><th scope="col">date</th><th scope="col">change</th><th scope="col" class="n">resemblance</th><th scope="col" class="n">bits</th><th scope="col">id</th></tr></thead>
                <tbody>
                  {page.versions.map((version, i) => (
                    <tr key={i}>
                      <td>{version.date}</td><td>{version.kind ? <Kind>{version.kind}</Kind> : <span class="quiet">first seen</span>}</td>
                      <td class="n">{isKnown(version.resemblance) ? share(version.resemblance) : ''}</td><td class="n">{version.distance ?? ''}</td>
                      <td class="name"><bdi class="id">{typeof version.id === 'string' ? version.id : JSON.stringify(version.id)}</bdi></td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        ))}
      </Wait>
    </>
  );
}

function AllPages({ search }: { search: string }): JSX.Element {
  const { source, about } = useApp();
  const [typed, setTyped] = useState(search);
  const [answer, setAnswer] = useState<Range<TrackedPage> | undefined>(undefined);
  const later = useDelayed(250, () => replace(to('versions', [], { search: typed })));
  return (
    <>
      <Heading>Versions</Heading>
      <form class="filters" role="search" onSubmit={(event) => {
        event.preventDefault();
        if (!about.lists_versions || /^\w+:\/\//.test(typed)) go(to('versions', [], { url: typed }));
      }}>
        <label class="field grow">Search a page by its URL<input type="search" value={typed} onInput={(event) => {
          setTyped(event.currentTarget.value);
          if (about.lists_versions) later();
        }} /></label>
        {!about.lists_versions && <button type="submit" class="main" disabled={typed === ''}>Show</button>}
      </form>
      <p class="counted" role="status">{answer && counted(answer.total, 'page', 'pages')}</p>
      {about.lists_versions && <Virtual label="Pages" layout="versions-row" rowHeight={40} askKey={search} ask={(offset, limit, signal) => source.versions(search, offset, limit, signal)} onAnswer={setAnswer}
        open={(page) => go(to('versions', [], { url: page.url }))} height={Math.max(320, Math.min(900, window.innerHeight - 240))}
        columns={[
          { name: 'URL', cell: (page) => <a tabIndex={-1} href={to('versions', [], { url: page.url })}><bdi>{page.url}</bdi></a> },
          { name: 'Versions', number: true, cell: (page) => count(page.versions.length) },
          { name: 'Changed', number: true, cell: (page) => count(page.versions.filter((version) => version.kind && version.kind !== 'same').length) },
          { name: 'Last', cell: (page) => page.versions[page.versions.length - 1]?.date.slice(0, 10) ?? '' },
          { name: '', cell: (page) => <>{page.moved_to && <Kind>moved</Kind>}{page.gone && <Kind>gone</Kind>}</> },
        ]} />}
    </>
  );
}

export function Versions({ route }: { route: Route }): JSX.Element {
  const url = route.query.get('url');
  return url !== null ? <OnePage key={url} url={url} /> : <AllPages search={route.query.get('search') ?? ''} />;
}
