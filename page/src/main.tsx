// The page: facts in a file, or a service behind it. Everything that strangers wrote goes in as text.

import { render } from 'preact';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Decisions } from './decisions';
import type { ReportFacts } from './facts';
import { FactsSource } from './facts_source';
import type { App } from './hooks';
import { AppContext, useDecisions } from './hooks';
import { LiveSource } from './live_source';
import type { JudgeFacts } from './judge';
import { JudgePage } from './judge';
import { count } from './numbers';
import { reuseOf } from './reuse';
import type { Route } from './route';
import { leftAt, to, useRoute } from './route';
import type { Source } from './source';
import { SourceError } from './source';
import { Failure, Heading, Mark } from './ui';
import { ClusterView } from './views/cluster';
import { Clusters } from './views/clusters';
import { DecisionsView } from './views/decisions';
import { ListView, Lists } from './views/lists';
import { MapView } from './views/map';
import { Neighborhoods } from './views/neighborhoods';
import { Overview } from './views/overview';
import { PairView, Pairs } from './views/pair';
import { Paste } from './views/paste';
import { RecordView } from './views/record';
import { Versions } from './views/versions';

const tabs = [
  ['overview', 'Overview'], ['map', 'Map'], ['neighborhoods', 'Neighborhoods'], ['clusters', 'Clusters'], ['pairs', 'Side by side'], ['lists', 'Lists'], ['versions', 'Versions'], ['paste', 'Paste a text'], ['decisions', 'Decisions'],
] as const;
const tab_of: Record<string, string> = { cluster: 'clusters', pair: 'pairs', list: 'lists', record: 'clusters' };

function View({ route }: { route: Route }): JSX.Element {
  switch (route.view) {
    case 'overview': return <Overview place={route.path[0]} />;
    case 'map': return <MapView route={route} />;
    case 'neighborhoods': return <Neighborhoods key={route.query.get('at')} route={route} />;
    case 'clusters': return <Clusters route={route} />;
    case 'cluster': return <ClusterView key={route.path[0]} number={Number(route.path[0]) || 0} />;
    case 'pairs': return <Pairs />;
    case 'pair': return <PairView key={`${route.path[0]} ${route.query}`} route={route} />;
    case 'lists': return <Lists />;
    case 'list': return <ListView key={route.path[0]} route={route} />;
    case 'record': return <RecordView key={route.query.get('name')} name={route.query.get('name') ?? ''} />;
    case 'versions': return <Versions route={route} />;
    case 'paste': return <Paste />;
    case 'decisions': return <DecisionsView />;
    default: return <><Heading>There is no such page</Heading><p><a href={to('overview')}>To the overview</a></p></>;
  }
}

/** What was decided last, and the way back; read out by screen readers. */
function DecisionBar(): JSX.Element {
  const decisions = useDecisions();
  useEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'z') return;
      if ((event.target as Element | null)?.closest?.('input, textarea, select')) return;
      event.preventDefault();
      if (event.shiftKey) decisions.redo();
      else decisions.undo();
    };
    window.addEventListener('keydown', keys);
    return () => window.removeEventListener('keydown', keys);
  }, [decisions]);
  const some = decisions.size > 0 || decisions.undoable || decisions.redoable;
  return (
    <div class={some ? 'decision-bar' : 'decision-bar none'}>
      <p role="status" class="said"><bdi>{decisions.said}</bdi></p>
      {decisions.failure && <p role="alert" class="refused"><bdi>{decisions.failure}</bdi></p>}
      {some && (
        <p class="tools">
          <a href={to('decisions')}>{count(decisions.size)} {decisions.size === 1 ? 'decision' : 'decisions'}</a>
          <button type="button" disabled={!decisions.undoable} onClick={() => decisions.undo()}>Undo</button>
          <button type="button" disabled={!decisions.redoable} onClick={() => decisions.redo()}>Redo</button>
        </p>
      )}
    </div>
  );
}

function Shell({ app }: { app: App }): JSX.Element {
  const asked = useRoute();
  const page = useRef<HTMLDivElement>(null);
  const shown = useRef('');
  const { about } = app;
  // A service without a run begins with what it has.
  const route = asked.view === 'overview' && !about.views.has('overview') ? { ...asked, view: tabs.find(([view]) => about.views.has(view))?.[0] ?? 'overview', path: [] } : asked;
  const at = tab_of[route.view] ?? route.view;
  const place = `${route.view}/${route.view === 'overview' ? '' : `${route.path.join('/')}${['pair', 'record', 'neighborhoods'].includes(route.view) ? route.query : ''}`}`;
  useLayoutEffect(() => {
    document.title = `${tabs.find(([view]) => view === at)?.[1] ?? 'Page'} - ${about.output || about.title || 'twinset'} - twinset`;
    // A view that another one led to begins at its top, and one to which the reader comes back where it was left.
    if (shown.current !== '' && shown.current !== place) {
      const left = leftAt();
      window.scrollTo(0, left ?? 0);
      if (left) window.setTimeout(() => window.scrollTo(0, left), 60);
    }
    shown.current = place;
    document.body.dataset.moved = '1';
  }, [place]);
  const skip = (event: MouseEvent): void => {
    event.preventDefault();
    page.current?.focus();
  };
  return (
    <AppContext.Provider value={app}>
      <a class="skip" href="#page" onClick={skip}>To the content</a>
      <header class="top">
        <div class="inner">
          <a class="mark" href={to('overview')} aria-label="twinset, overview"><Mark />twinset</a>
          <nav aria-label="Views">
            {tabs.filter(([view]) => about.views.has(view)).map(([view, title]) => (
              <a key={view} href={to(view)} {...(view === at ? { 'aria-current': 'page' as const } : {})}>{title}</a>
            ))}
          </nav>
        </div>
      </header>
      <div class="view" ref={page} tabIndex={-1}><View key={place} route={route} /></div>
      {about.decides && <DecisionBar />}
      <footer>Shares are rounded down: 1.000 is exactly 1, and a number below a threshold is never shown at it.{about.live ? '' : ' This page is one file and loads nothing.'}</footer>
    </AppContext.Provider>
  );
}

function Token({ wrong, onToken }: { wrong: boolean; onToken: (token: string) => void }): JSX.Element {
  const [token, setToken] = useState('');
  return (
    <form class="token" onSubmit={(event) => {
      event.preventDefault();
      onToken(token.trim());
    }}>
      <h1>This service asks for a token</h1>
      <p>It is in the file that <code>twinset serve --token-file</code> names. This tab keeps it until it is closed.</p>
      {wrong && <p role="alert" class="refused">That is not the token.</p>}
      <label class="field">Token<input type="password" autocomplete="off" value={token} onInput={(event) => setToken(event.currentTarget.value)} autofocus /></label>
      <button type="submit" disabled={token.trim() === ''}>Open</button>
    </form>
  );
}

function Start({ source }: { source: Source }): JSX.Element {
  const [app, setApp] = useState<App | undefined>(undefined);
  const [error, setError] = useState<Error | undefined>(undefined);
  const decisions = useMemo(() => new Decisions(source), [source]);
  const open = (): void => {
    setError(undefined);
    (async () => {
      const about = await source.about();
      const facts: ReportFacts = about.views.has('overview') ? await source.overview() : { title: about.title };
      if (reuseOf(facts)) about.views = new Set([...about.views, 'neighborhoods']);
      setApp({ source, about, facts, decisions });
      if (about.decides) await decisions.load();
    })().catch((failed: unknown) => {
      if (failed instanceof SourceError && failed.code === 'not_ready') window.setTimeout(open, 1000 * Math.max(1, failed.wait));
      setError(failed instanceof Error ? failed : new Error(String(failed)));
    });
  };
  useEffect(open, [source]);
  const inside = (children: ComponentChildren): JSX.Element => <div class="view">{children}</div>;
  if (error instanceof SourceError && error.code === 'token' && source instanceof LiveSource) {
    return inside(<Token wrong={source.hasToken} onToken={(token) => {
      source.setToken(token);
      open();
    }} />);
  }
  if (error && !app) return inside(<Failure error={error} retry={open} />);
  if (!app) return inside(<p class="waiting" role="status">Loading&hellip;</p>);
  return <Shell app={app} />;
}

function start(): void {
  const page = document.getElementById('page');
  if (!page) return;
  let source: Source;
  if (document.body.dataset.live === '1') {
    source = new LiveSource();
  } else {
    const facts = JSON.parse(document.getElementById('facts')?.textContent ?? '{}') as ReportFacts | JudgeFacts;
    if (facts.format === 'judge page 1') {
      page.textContent = '';
      render(<JudgePage facts={facts as JudgeFacts} />, page);
      return;
    }
    source = new FactsSource(facts as ReportFacts);
  }
  page.textContent = '';
  render(<Start source={source} />, page);
}

start();
