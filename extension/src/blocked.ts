// The page shown in place of a blocked one.

import { ask, day, element, textOf } from './dom';
import { sureness } from './judge';
import type { GaveUp, Part, Warning } from './messages';

export const WHY_UNCHECKED: Record<GaveUp, string> = {
  large: 'it is larger than can be checked (32 million characters, or two million elements)',
  slow: 'reading it took too long',
  changing: 'it changes faster than it can be read',
  busy: 'too much was to be checked at once',
  failed: 'the check failed',
  damaged: 'a remembered page is damaged, or of another version: forget it in the options, and remember it again',
};

function sameText(part: Part): HTMLLIElement {
  const words = textOf(part.html) || '(no words)';
  return part.same
    ? element('li', { className: 'same' }, element('span', { className: 'mark' }, 'Same on both'), words)
    : element('li', {}, words);
}

function side(title: string, parts: readonly Part[], none: string): HTMLElement {
  return element('section', {}, element('h3', {}, title),
    parts.length > 0 ? element('ul', { className: 'parts' }, ...parts.map(sameText)) : element('p', { className: 'soft' }, none));
}

function sites(rows: [string, string][]): HTMLElement {
  return element('dl', { className: 'sites' }, ...rows.flatMap(([term, value]) => [element('dt', {}, term), element('dd', {}, value)]));
}

function show(warning: Warning | null): void {
  const main = document.getElementById('main')!;
  if (warning === null) {
    document.title = 'Blocked';
    main.replaceChildren(element('h1', {}, 'A page was blocked here'),
      element('p', {}, 'This warning is of an earlier session of the browser; its details are no longer kept. The page that it was about was not opened again.'));
    return;
  }
  const here = warning.host || 'a file on this computer';
  const back = element('button', { type: 'button', className: 'first', id: 'back' }, 'Go back');
  back.addEventListener('click', () => void ask({ kind: 'go back', id: warning.id }));
  const on = element('button', { type: 'button', id: 'on' });
  on.addEventListener('click', () => void ask({ kind: 'go on', id: warning.id }));
  if (warning.kind === 'unchecked') {
    document.title = 'Blocked: a page that could not be checked';
    on.textContent = `I know ${here}: open it unchecked`;
    main.replaceChildren(element('div', { className: 'warning' },
      element('h1', {}, 'This page asks for a password and could not be checked'),
      sites([['You are at', here]]),
      element('p', {}, `It was not compared with the pages that you know, because ${WHY_UNCHECKED[warning.gaveUp ?? 'busy']}.`),
      element('div', { className: 'actions' }, back, on)));
  } else {
    const sure = sureness(warning.matched, warning.of, warning.fromList);
    const title = warning.knownTitle || warning.knownSite;
    document.title = `Blocked: ${here} imitates ${warning.knownSite}`;
    on.textContent = `I know ${here}: open it, and do not warn again`;
    main.replaceChildren(
      element('div', { className: 'warning' },
        element('h1', {}, `This is not ${warning.knownSite}`),
        element('p', {}, `The page at ${here} has parts of a page of ${warning.knownSite} that ${warning.fromList ? 'is in a list that you imported' : 'you told the browser to remember'}. Pages that steal passwords look like this.`),
        sites([['You are at', here], [sure.startsWith('Not') ? 'It quotes or imitates' : 'It imitates', warning.fromList ? warning.knownSite : `${warning.knownSite}, “${title}”, remembered on ${day(warning.knownAt)}`]]),
        element('p', { id: 'sure' }, sure),
        element('div', { className: 'actions' }, back, on)),
      element('h2', {}, 'The two pages, part by part'),
      element('div', { className: 'sides' },
        side(`The page you know, ${warning.knownSite}`, warning.known, 'The list has hashes alone, not the words of the page.'),
        side(`This page, at ${here}`, warning.here, 'Nothing to show.')));
  }
  back.focus();
}

show(await ask<Warning | null>({ kind: 'warning', id: new URLSearchParams(location.search).get('id') ?? '' }));
