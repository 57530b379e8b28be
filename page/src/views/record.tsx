// One record: its text and what the run says of it.

import type { JSX } from 'preact';
import { useApp, useLater } from '../hooks';
import { Heading, Name, Wait } from '../ui';

export function RecordView({ name }: { name: string }): JSX.Element {
  const { source } = useApp();
  const later = useLater(`record ${name}`, (signal) => source.record(name, signal));
  return (
    <>
      <Heading><Name>{name}</Name></Heading>
      <Wait later={later}>
        {(record) => (
          <>
            <dl class="lines">{record.facts.map(([key, value], i) => <div key={i}><dt>{key}</dt><dd><bdi>{value}</bdi></dd></div>)}</dl>
            {record.missing ? <p class="note">{record.missing}</p> : <pre class="text" dir="auto" tabIndex={0} role="region" aria-label="The text">{record.text}</pre>}
            {record.cut && <p class="note">Only the beginning is shown.</p>}
          </>
        )}
      </Wait>
    </>
  );
}
