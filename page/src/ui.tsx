// Small parts that every view uses.

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { clusters_section } from './facts';
import type { Anchor, Fact, ReportDocument } from './facts';
import type { Later } from './hooks';
import { useApp, useDecisions } from './hooks';
import { count, isNumber, text } from './numbers';
import { to } from './route';
import type { About, Judgment, RecordName } from './source';

/** Names come from strangers: each is isolated, so that its direction turns nothing around it. */
export function Name({ children, quiet }: { children: string; quiet?: boolean }): JSX.Element {
  return <bdi class={quiet ? 'id quiet' : 'id'}>{children}</bdi>;
}

export function DocumentName({ document, words }: { document: ReportDocument | undefined; words?: boolean }): JSX.Element {
  return (
    <>
      {document?.id && <Name>{document.id}</Name>}
      {document?.file && (
        <span class="place"> <bdi>{document.file}</bdi>, record {count(document.record)}</span>
      )}
      {words && document?.words && <bdi class="words">{document.words}</bdi>}
    </>
  );
}

export function Recorded({ name }: { name: RecordName }): JSX.Element {
  const place = name.file ? `${name.file}:${name.record ?? 0}` : '';
  return (
    <>
      <Name>{name.id}</Name>
      {place !== '' && place !== name.id && <span class="place"> <bdi>{name.file}</bdi>, record {count(name.record)}</span>}
    </>
  );
}

export function Facts({ facts }: { facts: Fact[] | undefined }): JSX.Element | null {
  if (!facts?.length) return null;
  return (
    <>
      {facts.map((fact, i) => (
        <span key={i} class={i > 0 ? 'fact' : 'fact first'}>
          {fact.name} <b>{text(fact.value)}</b>
          {fact.note && <small> {fact.note}</small>}{' '}
        </span>
      ))}
    </>
  );
}

/** Where an anchor of the facts leads. A report's clusters have a view each; a run that is served numbers all clusters in its own way. */
export function linkOf(anchor: Anchor, about: About): string {
  const place = `${anchor.section ?? ''}-${anchor.number ?? 0}`;
  if (anchor.section === 'pairs') return to('pair', [place]);
  if (anchor.section === clusters_section && about.views.has('clusters') && !about.live) return to('cluster', [anchor.number ?? 0]);
  return to('overview', [place]);
}

export function Links({ links }: { links: Anchor[] | undefined }): JSX.Element | null {
  const { about } = useApp();
  if (!links?.length) return null;
  return (
    <span class="links">
      {links.map((link, i) => <a key={i} href={linkOf(link, about)}>{link.text}</a>)}
    </span>
  );
}

export function Cell({ value }: { value: Fact['value'] }): JSX.Element {
  const shown = text(value);
  if (!isNumber(value)) return <td class="name"><bdi class="id">{shown}</bdi></td>;
  const nothing = value?.unit === 'count' && !value.number;
  const share = value?.unit === 'percent' && value.whole ? Math.min(1, (value.number ?? 0) / value.whole) : undefined;
  return (
    <td class={nothing ? 'n quiet' : 'n'}>
      {share !== undefined && <Meter share={share} />}
      {shown}
    </td>
  );
}

export function Meter({ share }: { share: number }): JSX.Element {
  return (
    <svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="6" />
      <rect class="fill" width={(100 * share).toFixed(1)} height="6" />
    </svg>
  );
}

export function Kind({ children }: { children: string }): JSX.Element {
  return <span class={`kind k-${/^[a-z]+$/.test(children) ? children : 'other'}`}>{children}</span>;
}

export function Failure({ error, retry }: { error: Error; retry?: () => void }): JSX.Element {
  return (
    <div class="failure" role="alert">
      <p>{error.message}</p>
      {retry && <button type="button" onClick={retry}>Try again</button>}
    </div>
  );
}

/** Shows the answer when it is there, and before that the one before, dimmed. */
export function Wait<T>({ later, children }: { later: Later<T>; children: (value: T) => ComponentChildren }): JSX.Element {
  if (later.error) return <Failure error={later.error} retry={later.retry} />;
  if (later.value === undefined) return <p class="waiting" role="status">Loading&hellip;</p>;
  return <div class={later.waiting ? 'stale' : 'fresh'} aria-busy={later.waiting}>{children(later.value)}</div>;
}

/** What stands before the program's name. */
export function Mark(): JSX.Element {
  return <svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="7.5" cy="10" r="5.5" /><circle cx="12.5" cy="10" r="5.5" /></svg>;
}

/** The heading of a view, which takes the focus when a link led here. */
export function Heading({ children, over }: { children: ComponentChildren; over?: ComponentChildren }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (window.document.body.dataset.moved === '1') heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div class="heading">
      {over && <p class="over">{over}</p>}
      <h1 tabIndex={-1} ref={heading}>{children}</h1>
    </div>
  );
}

const judgments: [Judgment, string, string][] = [['restore', 'Keep', 'Keeps it although the run removed it'], ['remove', 'Remove', 'It is a copy: leave it out']];

/** Two buttons of which at most one is pressed; pressed once more, nothing is decided. */
export function Judge({ name, label }: { name: RecordName; label?: string }): JSX.Element | null {
  const { about } = useApp();
  const decisions = useDecisions();
  if (!about.decides) return null;
  const now = decisions.of(name);
  return (
    <span class="judge" role="group" aria-label={`Decision about ${label ?? name.id}`}>
      {judgments.map(([judgment, word, title]) => (
        <button key={judgment} type="button" title={title} aria-pressed={now === judgment} class={`j-${judgment}`}
          onClick={() => decisions.decide(name, now === judgment ? 'none' : judgment)}>{word}</button>
      ))}
    </span>
  );
}

export function Region({ label, children, className }: { label: string; children: ComponentChildren; className?: string }): JSX.Element {
  return <div class={className ?? 'scroll'} tabIndex={0} role="region" aria-label={label}>{children}</div>;
}
