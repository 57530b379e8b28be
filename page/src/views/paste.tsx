// A text that a person pastes, and the documents of the index that it resembles, contains or quotes.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useApp, useLater } from '../hooks';
import { count, counted, share } from '../numbers';
import { to } from '../route';
import { SideBySide } from '../side_by_side';
import type { Answer, Hit, Interval } from '../source';
import { Failure, Heading, Kind, Wait } from '../ui';

const idText = (id: unknown): string => (typeof id === 'string' ? id : JSON.stringify(id));

function Share({ name, value, exact }: { name: string; value: Interval | null | undefined; exact: boolean }): JSX.Element | null {
  if (!value || value.value === null) return null;
  return <span class="fact">{name} <b>{share(value.value)}</b>{!exact && value.low !== null && value.high !== null && <small> {share(value.low)} to {share(value.high)}</small>} </span>;
}

function Compared({ text, html, hit }: { text: string; html: boolean; hit: Hit }): JSX.Element {
  const { source } = useApp();
  const later = useLater(`compare ${idText(hit.id)}`, async (signal) => {
    const other = await source.document(hit.id, signal);
    return other === null ? null : source.compare(text, other, html, signal);
  });
  return (
    <Wait later={later}>
      {(pair) => (pair === null ? <p class="note">The index keeps no texts: <code>twinset index --texts</code> makes one that does.</p> : (
        <SideBySide rows={pair.rows ?? []} a={{ id: 'your text' }} b={{ id: idText(hit.id) }} side_a="pasted text" side_b="document" more={pair.more} />
      ))}
    </Wait>
  );
}

export function Paste(): JSX.Element {
  const { source } = useApp();
  const [text, setText] = useState('');
  const [html, setHtml] = useState(false);
  const [passages, setPassages] = useState(true);
  const [resemblance, setResemblance] = useState('0.5');
  const [found, setFound] = useState<{ answer: Answer; text: string; html: boolean } | undefined>(undefined);
  const [error, setError] = useState<Error | undefined>(undefined);
  const [asking, setAsking] = useState(false);
  const [open, setOpen] = useState<unknown>(undefined);
  const ask = (): void => {
    setAsking(true);
    setError(undefined);
    source.query({ text, html, passages, resemblance: Number(resemblance) }).then((answer) => {
      setFound({ answer, text, html });
      setOpen(undefined);
    }, (failed: unknown) => setError(failed instanceof Error ? failed : new Error(String(failed)))).finally(() => setAsking(false));
  };
  return (
    <>
      <Heading>Paste a text</Heading>
      <p class="lead">Which documents of the index does it resemble, contain or quote?</p>
      <form class="paste" onSubmit={(event) => {
        event.preventDefault();
        if (text !== '') ask();
      }}>
        <label class="field">Text<textarea rows={9} value={text} dir="auto" onInput={(event) => setText(event.currentTarget.value)} onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && text !== '') ask();
        }} /></label>
        <div class="filters">
          <label class="field">Least resemblance<input type="number" min="0" max="1" step="0.05" value={resemblance} onInput={(event) => setResemblance(event.currentTarget.value)} /></label>
          <label class="check"><input type="checkbox" checked={passages} onChange={(event) => setPassages(event.currentTarget.checked)} /> who quotes it, too</label>
          <label class="check"><input type="checkbox" checked={html} onChange={(event) => setHtml(event.currentTarget.checked)} /> it is HTML</label>
          <button type="submit" class="main" disabled={text === '' || asking}>{asking ? 'Asking\u2026' : 'Find'}</button>
        </div>
      </form>
      {error && <Failure error={error} retry={ask} />}
      <p class="counted" role="status">
        {found && <>{counted(found.answer.hits.length, 'document', 'documents')}; {counted(found.answer.compared, 'was', 'were')} compared{found.answer.timed_out ? '; the time was up, there may be more' : ''}</>}
      </p>
      {found && found.answer.hits.length > 0 && (
        <ol class="items">
          {found.answer.hits.map((hit, i) => (
            <li key={i}>
              <span class="number" aria-hidden="true">{i + 1}</span>
              <div class="what">
                <p><bdi class="id">{idText(hit.id)}</bdi> {hit.same !== 'no' && <Kind>{hit.same === 'bytes' ? 'identical' : 'lexical'}</Kind>}</p>
                {hit.url && <p class="place"><a href={to('versions', [], { url: hit.url })}><bdi>{hit.url}</bdi></a>{hit.date && `, ${hit.date}`}</p>}
                <button type="button" class="plain" aria-expanded={open === i} onClick={() => setOpen(open === i ? undefined : i)}>{open === i ? 'Close' : 'Side by side'}</button>
              </div>
              <div class="facts">
                <Share name="resemblance" value={hit.resemblance} exact={hit.exact} />
                <Share name="contains of your text" value={hit.containment} exact={hit.exact} />
                {hit.passages !== undefined && hit.passages.length > 0 && <span class="fact">{counted(hit.passages.length, 'passage', 'passages')} <b>{count(hit.quoted ?? 0)}</b> words </span>}
              </div>
              {open === i && <div class="under"><Compared text={found.text} html={found.html} hit={hit} /></div>}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
