// One cluster: its documents, the graph of its pairs, and what was decided about them.

import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Graph } from '../graph';
import { useApp, useLater } from '../hooks';
import { count, counted, share } from '../numbers';
import { go, to } from '../route';
import type { ClusterPage, Member } from '../source';
import { recordOf } from '../source';
import { Facts, Heading, Judge, Kind, linkOf, Links, Recorded, Wait } from '../ui';

const page = 50;

function compared(of: ClusterPage, member: Member, live: boolean): string | undefined {
  if (!live) return undefined;
  const other = member.survivor ?? of.members[0]?.name;
  return !other || recordOf(other) === recordOf(member.name) ? undefined : to('pair', [], { a: recordOf(other), b: recordOf(member.name) });
}

function Members({ of, first }: { of: ClusterPage; first: number }): JSX.Element {
  const { about } = useApp();
  const live = about.live;
  return (
    <ol class="items members" start={first + 1}>
      {of.members.map((member, i) => {
        const link = compared(of, member, live);
        return (
          <li key={recordOf(member.name)}>
            <span class="number" aria-hidden="true">{count(first + i + 1)}</span>
            <div class="what">
              <p>
                {link ? <a href={link}><Recorded name={member.name} /></a> : <Recorded name={member.name} />}{' '}
                {(member.kind ?? member.fate) !== 'clustered' && <Kind>{member.kind ?? member.fate}</Kind>}
              </p>
              {member.words && <bdi class="words">{member.words}</bdi>}
              {member.missing && <p class="note">{member.missing}</p>}
            </div>
            <div class="facts">
              {member.facts ? <Facts facts={member.facts.filter((fact) => fact.name !== member.kind || fact.value?.unit === 'share')} /> : (
                <>
                  {member.resemblance !== null && <span class="fact">resemblance <b>{share(member.resemblance)}</b> </span>}
                  {member.containment !== null && <span class="fact">contained <b>{share(member.containment)}</b> </span>}
                </>
              )}
              {member.fate !== 'clustered' && <Judge name={member.name} />}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

export function ClusterView({ number }: { number: number }): JSX.Element {
  const { source, about } = useApp();
  const [offset, setOffset] = useState(0);
  const later = useLater(`cluster ${number} ${offset}`, (signal) => source.cluster(number, offset, page, signal));
  const live = about.live;
  const found = later.value;
  const nodes = useMemo(() => (found?.members ?? []).map((member, i) => ({
    name: member.name.id, copies: member.facts?.find((fact) => fact.name === 'copies')?.value?.number ?? 1, first: i === 0 && offset === 0, marked: member.fate === 'removed',
  })), [found]);
  return (
    <>
      <Heading over={<><a href={to('clusters')}>Clusters</a>{' '}<span class="steps">{number > 1 && <a href={to('cluster', [number - 1])} aria-label="Cluster before">&larr;</a>}{' '}<a href={to('cluster', [number + 1])} aria-label="Next cluster">&rarr;</a></span></>}>
        Cluster {count(number)}{found && <span class="quiet"> {counted(found.documents, 'document', 'documents')}</span>}
      </Heading>
      <Wait later={later}>
        {(cluster) => (
          <>
            {cluster.facts && <p class="fact-line"><Facts facts={cluster.facts} /> <Links links={cluster.links} /></p>}
            {cluster.edges.length > 0 && cluster.members.length > 1 && (
              <figure class="chart wide">
                <figcaption>Pairs <span class="quiet">the closer, the more alike{cluster.threshold ? `; dashed: below ${share(cluster.threshold)}` : ''}</span></figcaption>
                <Graph label={`Cluster ${number}`} nodes={nodes} edges={cluster.edges} threshold={cluster.threshold}
                  {...(live ? { onOpen: (node: number) => {
                    const member = cluster.members[node];
                    const link = member && compared(cluster, member, true);
                    if (link) go(link);
                  } } : {})} />
                {!live && cluster.note && <p class="note">{cluster.note}</p>}
              </figure>
            )}
            <h2>Documents</h2>
            <Members of={cluster} first={offset} />
            {cluster.links?.[0] && !live && <p class="note"><a href={linkOf(cluster.links[0], about)}>{cluster.links[0].text}</a>: the least similar pair of the cluster.</p>}
            {live && cluster.documents > page && (
              <p class="pager">
                <button type="button" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - page))}>&larr; Before</button>{' '}
                {count(offset + 1)}&ndash;{count(Math.min(cluster.documents, offset + page))} of {count(cluster.documents)}{' '}
                <button type="button" disabled={offset + page >= cluster.documents} onClick={() => setOffset(offset + page)}>More &rarr;</button>
              </p>
            )}
          </>
        )}
      </Wait>
    </>
  );
}
