// What was decided: taken back, and written as the file that `twinset restore --decisions` takes.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useApp, useDecisions } from '../hooks';
import { counted } from '../numbers';
import { Heading, Name } from '../ui';

function Download({ lines, name }: { lines: string; name: string }): JSX.Element {
  const [url, setUrl] = useState('');
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([lines], { type: 'application/x-ndjson' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [lines]);
  return <a class="button" href={url || undefined} download={name}>Download {name}</a>;
}

export function DecisionsView(): JSX.Element {
  const { facts, about } = useApp();
  const decisions = useDecisions();
  const all = decisions.all();
  const name = `${(facts.output ?? '').split('/').filter(Boolean).pop()?.replace(/[^\w.-]/g, '_') || 'run'}.decisions.jsonl`;
  const live = about.live;
  return (
    <>
      <Heading>Decisions</Heading>
      <p class="lead">
        {live ? 'The service keeps each decision in its file as soon as you make it.' : 'Your decisions are in this browser alone: download them as a file.'}
        {' '}<code>twinset restore {facts.output || 'OUT'} --decisions {name} -o BACK</code> writes the records that you keep.
      </p>
      {all.length === 0 ? <p class="nothing">Nothing is decided yet. Open a pair or a cluster, and choose Keep or Remove.</p> : (
        <>
          <p class="tools"><Download lines={decisions.lines()} name={name} /> <span class="quiet">{counted(all.length, 'decision', 'decisions')}</span></p>
          <ol class="items">
            {all.map((each, i) => (
              <li key={each.record}>
                <span class="number" aria-hidden="true">{i + 1}</span>
                <div class="what"><p><Name>{each.id ?? each.record}</Name> {each.id !== undefined && each.id !== each.record && <span class="place"><bdi>{each.record}</bdi></span>}</p></div>
                <div class="facts">
                  <span class={`judged j-${each.decision}`}>{each.decision === 'restore' ? 'keep' : 'remove'}</span>{' '}
                  <button type="button" class="plain" aria-label={`Take back the decision about ${each.id ?? each.record}`} onClick={() => decisions.clear(each.record)}>Take back</button>
                </div>
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}
