// Neighborhoods of reuse: which sites show what others are known to have, and how much of what they show it is.

import type { JSX } from 'preact';
import { FlowChart } from '../flow';
import { useApp, useLater } from '../hooks';
import { count, percent, share } from '../numbers';
import type { Flow, Neighborhood, Origin } from '../reuse';
import { related, topsOf } from '../reuse';
import type { Route } from '../route';
import { to } from '../route';
import { TreeMap } from '../treemap';
import { DocumentName, Facts, Heading, Meter, Name, Region, Wait } from '../ui';

const place = (at: string): string => to('neighborhoods', [], { at });

function Place({ name }: { name: string }): JSX.Element {
  return <a href={place(name)}><Name>{name}</Name></a>;
}

function Share({ of }: { of: number | undefined }): JSX.Element {
  return <td class="n">{of !== undefined && <><Meter share={Math.min(1, of)} />{share(of)}</>}</td>;
}

function Places({ places, label }: { places: Neighborhood[]; label: string }): JSX.Element {
  return (
    <Region label={label}>
      <table>
        <thead><tr><th scope="col">neighborhood</th><th scope="col" class="n">badness</th><th scope="col" class="n">pages with labels</th><th scope="col" class="n">of pages</th><th scope="col" class="n">labels</th><th scope="col" class="n">of chunks</th></tr></thead>
        <tbody>
          {places.map((each) => (
            <tr key={each.prefix}>
              <td class="name"><Place name={each.prefix} /> {each.bad && <span class="kind k-large">bad</span>}</td>
              <Share of={each.badness} />
              <td class="n">{count(each.labeled_pages)}</td><td class="n">{count(each.pages)}</td><td class="n">{count(each.labeled)}</td><td class="n">{count(each.chunks)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Region>
  );
}

function Flows({ title, flows, units, links }: { title: string; flows: Flow[]; units: [string, string]; links: boolean }): JSX.Element {
  const shares = flows.some((flow) => flow.share !== undefined);
  return (
    <>
      <FlowChart flows={flows} unit={units[1]} />
      <Region label={title}>
        <table>
          <thead><tr><th scope="col">shown by</th><th scope="col">known from</th>{shares && <th scope="col" class="n">of its matches</th>}<th scope="col" class="n">{units[0]}</th><th scope="col" class="n">{units[1]}</th></tr></thead>
          <tbody>
            {flows.map((flow, i) => (
              <tr key={i}>
                <td class="name">{links ? <Place name={flow.site} /> : <Name>{flow.site}</Name>}</td><td class="name"><Name>{flow.known_from || 'a label without a place'}</Name></td>
                {shares && <Share of={flow.share} />}<td class="n">{count(flow.pages)}</td><td class="n">{count(flow.matches)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Region>
    </>
  );
}

function Origins({ origins }: { origins: Origin[] }): JSX.Element {
  const times = origins.reduce((sum, origin) => sum + origin.times, 0);
  return (
    <>
      <h2>Where the labels stand first</h2>
      <p class="lead">The labels that were seen most, by the site of the first page that has them. Which other pages have them is for <code>twinset detect</code> to say.</p>
      <TreeMap label="Sites by how often their labels were seen" unit="times" areas={origins.map((origin) => ({ name: origin.site, count: origin.times, note: `${count(origin.labels)} ${origin.labels === 1 ? 'label' : 'labels'}` }))} />
      <Region label="Where the labels stand first">
        <table>
          <thead><tr><th scope="col">site</th><th scope="col" class="n">labels</th><th scope="col" class="n">times seen</th><th scope="col" class="n">of all listed</th><th scope="col" class="n">pages</th></tr></thead>
          <tbody>
            {origins.map((origin) => (
              <tr key={origin.site}><td class="name"><Name>{origin.site}</Name></td><td class="n">{count(origin.labels)}</td><td class="n">{count(origin.times)}</td><td class="n">{percent(origin.times, times)}</td><td class="n">{count(origin.pages)}</td></tr>
            ))}
          </tbody>
        </table>
      </Region>
    </>
  );
}

export function Neighborhoods({ route }: { route: Route }): JSX.Element {
  const { source, about } = useApp();
  const at = route.query.get('at') ?? '';
  const later = useLater(`reuse ${at}`, (signal) => source.reuse(at, signal));
  const slash = at.slice(0, -1).lastIndexOf('/') + 1;
  return (
    <>
      <Heading over={at !== '' && <><a href={to('neighborhoods')}>Neighborhoods</a> {slash > 0 && <Place name={at.slice(0, slash)} />}</>}>{at === '' ? 'Neighborhoods of reuse' : <bdi>{at}</bdi>}</Heading>
      <Wait later={later}>
        {(reuse) => {
          const here = reuse.places.find(({ prefix }) => prefix === at);
          const tops = topsOf(reuse.places, at);
          const areas = tops.filter((each) => each.labeled_pages > 0).map((each) => ({
            name: each.prefix.slice(at.length), count: each.labeled_pages, note: `badness ${share(each.badness)}`, dark: each.badness, link: place(each.prefix),
          }));
          const shown = reuse.flows.filter(({ site }) => related(site, at));
          const taken = at === '' ? [] : reuse.flows.filter(({ known_from }) => known_from !== '' && related(known_from, at));
          const pages = at === '' ? [] : reuse.pages.filter((page) => `/${page.documents?.[0]?.id}`.includes(`/${at}`));
          const title = at === '' ? 'Who reuses whom' : 'What it shows of others';
          const links = reuse.places.length > 0;
          return (
            <>
              {here && (
                <p class="fact-line">
                  badness <b>{share(here.badness)}</b>{here.bad && <> <span class="kind k-large">bad</span></>} &middot; {count(here.labeled_pages)} of {count(here.pages)} pages hold labels &middot; {count(here.labeled)} of {count(here.chunks)} chunks are labels
                </p>
              )}
              {at !== '' && about.live && (
                <p class="tools"><a class="choice" href={to('list', ['pages'], { search: at })}>Its pages with labels</a> <a class="choice" href={to('list', ['matches'], { search: at })}>Its matches</a></p>
              )}
              {areas.length > 0 && (
                <>
                  <p class="lead">An area is as large as its number of pages with labels, and as dark as the share of labels among their chunks.</p>
                  <TreeMap areas={areas} label="Neighborhoods by their pages with labels" unit="pages" />
                </>
              )}
              {shown.length > 0 && (
                <>
                  <h2>{title}</h2>
                  {reuse.all_flows > reuse.flows.length && <p class="lead">The first {count(reuse.flows.length)} of {count(reuse.all_flows)} pairs of sites{about.live && <>; <a href={to('list', ['reuse'])}>all</a></>}.</p>}
                  <Flows title={title} flows={shown} units={reuse.units} links={links} />
                </>
              )}
              {taken.length > 0 && (
                <>
                  <h2>What others show of it</h2>
                  <Flows title="What others show of it" flows={taken} units={reuse.units} links={links} />
                </>
              )}
              {tops.length > 0 && (
                <>
                  <h2>{at === '' ? 'Neighborhoods' : 'Below it'}</h2>
                  {reuse.all_places > reuse.places.length && <p class="lead">Of the {count(reuse.places.length)} with the most pages that hold labels, of {count(reuse.all_places)}{about.live && <>; <a href={to('list', ['neighborhoods'], { search: at })}>all</a></>}.</p>}
                  <Places places={tops} label="Neighborhoods" />
                </>
              )}
              {pages.length > 0 && (
                <>
                  <h2>Its pages with the largest share of labels</h2>
                  <ol class="items">
                    {pages.map((page, i) => (
                      <li key={i}><span class="number" aria-hidden="true">{i + 1}</span><div class="what"><p><DocumentName document={page.documents?.[0]} words /></p></div><div class="facts"><Facts facts={page.facts} /></div></li>
                    ))}
                  </ol>
                </>
              )}
              {reuse.origins.length > 0 && <Origins origins={reuse.origins} />}
              {areas.length + tops.length + shown.length + taken.length + reuse.origins.length === 0 && <p class="nothing">{at === '' ? 'No page shows what is known.' : 'There is nothing below it.'}</p>}
            </>
          );
        }}
      </Wait>
    </>
  );
}
