// All clusters, or all sources, as areas.

import type { JSX } from 'preact';
import { useApp, useLater } from '../hooks';
import { counted, percent } from '../numbers';
import type { Route } from '../route';
import { to } from '../route';
import { TreeMap } from '../treemap';
import { Heading, linkOf, Wait } from '../ui';

export function MapView({ route }: { route: Route }): JSX.Element {
  const { source, about } = useApp();
  const by = route.query.get('by') ?? 'cluster';
  const live = about.live;
  const later = useLater(`tiles ${by}`, (signal) => source.tiles(by, signal));
  return (
    <>
      <Heading>Map</Heading>
      {live && (
        <p class="tools" role="group" aria-label="Areas are">
          <a class="choice" href={to('map')} {...(by === 'cluster' ? { 'aria-current': 'true' as const } : {})}>Clusters</a>
          <a class="choice" href={to('map', [], { by: 'source' })} {...(by === 'source' ? { 'aria-current': 'true' as const } : {})}>Sources</a>
        </p>
      )}
      <Wait later={later}>
        {({ tiles, rest }) => {
          const shown = tiles.reduce((sum, tile) => sum + (tile.count ?? 0), 0);
          return (
            <>
              <p class="lead">
                Each area is as large as its number of documents.
                {rest.documents > 0 && ` Not shown: ${counted(rest.clusters, by === 'source' ? 'source' : 'smaller cluster', by === 'source' ? 'sources' : 'smaller clusters')} with ${counted(rest.documents, 'document', 'documents')}, ${percent(rest.documents, shown + rest.documents)} of all.`}
              </p>
              <TreeMap label={by === 'source' ? 'Sources' : 'Clusters'} unit="documents"
                areas={tiles.map((tile) => ({ name: tile.name ?? '', count: tile.count ?? 0, ...(tile.note ? { note: tile.note } : {}), ...(tile.link ? { link: tile.link.section === 'cluster' ? to('cluster', [tile.link.number ?? 0]) : tile.link.section === 'source' ? to('clusters', [], { source: tile.name ?? '' }) : linkOf(tile.link, about) } : {}) }))} />
            </>
          );
        }}
      </Wait>
    </>
  );
}
