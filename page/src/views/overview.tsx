// The sections of the facts, in their order: any section with any of the kinds that facts have.

import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Bars, Scatter } from '../charts';
import type { Fact, ListItem, Part, ReportFacts, Section, Table } from '../facts';
import { clusters_section, nameOf } from '../facts';
import { Graph } from '../graph';
import { useApp } from '../hooks';
import { count, isNumber, percent, text } from '../numbers';
import { to } from '../route';
import { TreeMap } from '../treemap';
import { Cell, DocumentName, Facts, Heading, Kind, linkOf, Links, Name, Region } from '../ui';

/** Counts and percentages are cards; if there are other values, all are lines. */
function Numbers({ numbers }: { numbers: Fact[] }): JSX.Element {
  const cards = numbers.every((fact) => fact.value?.unit === 'count' || fact.value?.unit === 'percent');
  return (
    <dl class={cards ? 'cards' : 'lines'}>
      {numbers.map((fact, i) => (
        <div key={i}>
          <dt>{fact.name}</dt>
          <dd>{fact.value?.unit === 'code' ? <code>{text(fact.value)}</code> : text(fact.value)}{fact.note && <small>{fact.note}</small>}</dd>
        </div>
      ))}
    </dl>
  );
}

function Strip({ parts }: { parts: Part[] }): JSX.Element | null {
  const whole = parts.reduce((sum, part) => sum + (part.count ?? 0), 0);
  if (whole === 0) return null;
  let x = 0;
  const some = parts.filter((part) => part.count);
  return (
    <div class="strip-box">
      <svg class="strip" viewBox="0 0 1000 12" preserveAspectRatio="none" role="img" aria-label="Shares of the whole; the numbers follow">
        {some.map((part, i) => {
          const width = (1000 * (part.count ?? 0)) / whole;
          x += width;
          return <rect key={i} class={`c-${part.color ?? 'kept'}`} x={(x - width).toFixed(2)} width={Math.max(0, width - 1.2).toFixed(2)} height="12"><title>{part.name}</title></rect>;
        })}
      </svg>
      <p class="key">
        {some.map((part, i) => (
          <span key={i}><span class={`swatch c-${part.color ?? 'kept'}`} /><b>{count(part.count)}</b> {part.name} <span class="quiet">{percent(part.count, whole)}</span></span>
        ))}
      </p>
    </div>
  );
}

function Rows({ table, label }: { table: Table; label: string }): JSX.Element | null {
  const rows = table.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <Region label={label}>
      <table>
        <thead><tr>{(table.columns ?? []).map((column, i) => <th key={i} scope="col" class={isNumber(rows[0]?.[i]) ? 'n' : ''}>{column}</th>)}</tr></thead>
        <tbody>{rows.map((row, i) => <tr key={i}>{row.map((value, k) => <Cell key={k} value={value} />)}</tr>)}</tbody>
      </table>
    </Region>
  );
}

function Item({ item, number, section, opens }: { item: ListItem; number: number; section: string; opens: boolean }): JSX.Element {
  const members = item.members ?? [];
  return (
    <li id={`${section}-${number}`}>
      <span class="number" aria-hidden="true">{number}</span>
      <div class="what">
        {(item.documents ?? []).map((document, i) => <p key={i}><DocumentName document={document} words /></p>)}
        {!opens && members.length > 0 && (
          <details>
            <summary>{item.members_name}</summary>
            <table>
              <tbody>
                {members.map((member, i) => (
                  <tr key={i}><td class="name"><DocumentName document={member.document} words /></td><td class="n"><Facts facts={member.facts} /></td></tr>
                ))}
              </tbody>
            </table>
          </details>
        )}
      </div>
      <div class="facts">
        <Facts facts={item.facts} />
        {opens && <span class="links"><a href={to('cluster', [number])}>{members.length > 0 ? item.members_name : 'its documents'}</a></span>}
        <Links links={item.links} />
      </div>
    </li>
  );
}

function SectionView({ section, facts }: { section: Section; facts: ReportFacts }): JSX.Element {
  const name = section.name ?? '';
  const { about } = useApp();
  const isClusters = name === clusters_section && about.views.has('clusters') && !about.live;
  const folder = facts.folder ?? '';
  return (
    <section id={name} {...(section.title ? { 'aria-labelledby': `${name}-title` } : { 'aria-label': name })}>
      {section.title && <h2 id={`${name}-title`} tabIndex={-1}>{section.title}</h2>}
      {section.lead && <p class="lead">{section.lead}</p>}
      {section.numbers && <Numbers numbers={section.numbers} />}
      {section.parts && <Strip parts={section.parts} />}
      {section.tables?.map((table, i) => <Rows key={i} table={table} label={`${section.title ?? name}, table ${i + 1}`} />)}
      {section.histograms && <div class="charts">{section.histograms.map((chart, i) => <Bars key={i} chart={chart} />)}</div>}
      {section.plots && <div class="charts">{section.plots.map((plot, i) => <Scatter key={i} plot={plot} />)}</div>}
      {section.tiles && (
        <TreeMap label={section.title ?? name} unit={name === clusters_section ? 'documents' : 'pages'}
          areas={section.tiles.map((tile) => ({ name: tile.name ?? '', count: tile.count ?? 0, ...(tile.note ? { note: tile.note } : {}), ...(tile.link ? { link: linkOf(tile.link, about) } : {}) }))} />
      )}
      {section.graphs && (
        <div class="charts">
          {section.graphs.map((graph, i) => (
            <figure key={i} class="chart" id={`${name}-${i + 1}`}>
              <figcaption>{graph.name && <a href={linkOf(graph.name, about)}>{graph.name.text}</a>} {graph.nodes?.[0]?.document?.id && <Name quiet>{graph.nodes[0].document.id}</Name>}</figcaption>
              <Graph label={graph.name?.text ?? 'A cluster'} threshold={graph.threshold} edges={graph.edges ?? []}
                nodes={(graph.nodes ?? []).map((node, k) => ({ name: node.document?.id || nameOf(node.document, folder), copies: node.copies ?? 1, first: k === 0 }))} />
              <p class="note">{graph.note}</p>
            </figure>
          ))}
        </div>
      )}
      {section.list && (
        <ol class="items">{section.list.map((item, i) => <Item key={i} item={item} number={i + 1} section={name} opens={isClusters} />)}</ol>
      )}
      {section.side_by_side && (
        <ol class="items pairs">
          {section.side_by_side.map((pair, i) => (
            <li key={i} id={`${name}-${i + 1}`}>
              <span class="number" aria-hidden="true">{i + 1}</span>
              <div class="what">
                <p><Kind>{pair.color ?? 'kept'}</Kind> <a href={to('pair', [`${name}-${i + 1}`])}>{pair.tag || 'side by side'}</a></p>
                <p><DocumentName document={pair.a} /></p>
                <p><DocumentName document={pair.b} /></p>
              </div>
              <div class="facts"><Facts facts={pair.facts} /></div>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

export function Overview({ place }: { place: string | undefined }): JSX.Element {
  const { facts } = useApp();
  const sections = facts.sections ?? [];
  useEffect(() => {
    if (place === undefined) return;
    const target = document.getElementById(place);
    if (!target) return;
    for (const marked of document.querySelectorAll('.target')) marked.classList.remove('target');
    target.classList.add('target');
    target.scrollIntoView({ block: 'start' });
    const focus = target.querySelector<HTMLElement>('h2, a') ?? target;
    focus.focus({ preventScroll: true });
  }, [place]);
  return (
    <>
      <Heading>{facts.title}{facts.output && <>: <bdi>{facts.output}</bdi></>}</Heading>
      {facts.command && <p class="command"><code>{facts.command}</code></p>}
      <p class="made">
        {[facts.started, facts.version && `twinset ${facts.version}`].filter(Boolean).join(' \u00b7 ')}
        {facts.folder && <> &middot; files are in <code>{facts.folder}</code></>}
      </p>
      {(facts.warnings ?? []).map((warning, i) => <p key={i} class="warn" role="note">{warning}</p>)}
      <div class="with-contents">
        <nav class="contents" aria-label="Sections">
          {sections.filter((section) => section.title).map((section) => {
            const elements = (section.graphs?.length ?? 0) + (section.list?.length ?? 0) + (section.side_by_side?.length ?? 0);
            return <a key={section.name} href={to('overview', [section.name ?? ''])}>{section.title}{elements > 0 && <span class="quiet"> {count(elements)}</span>}</a>;
          })}
        </nav>
        <div class="sections">{sections.map((section) => <SectionView key={section.name} section={section} facts={facts} />)}</div>
      </div>
    </>
  );
}
