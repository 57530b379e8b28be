// The popup of the button: remembers the page of the tab, and asks on first use of a password.

import { ask, byId, count } from './dom';
import type { GaveUp, TabState } from './messages';

/** A page may lure a click to where this popup opens: its question takes none for so long. */
const DEAF = 700;

const TROUBLE: Record<GaveUp, string> = {
  large: 'This page was not checked to its end: it is too large.',
  slow: 'This page was not checked to its end: reading it took too long.',
  changing: 'This page was not checked as a whole: it changes faster than it can be read.',
  busy: 'This page was not checked: too much was to be checked at once.',
  failed: 'This page was not checked: the check failed.',
  damaged: 'This page was not compared with all: a remembered page is damaged, or of another version. Forget it in the options, and remember it again.',
};

/** The tab is named where the popup is opened as a page; else it is the one the user sees. */
async function tabShown(): Promise<number | undefined> {
  const named = new URLSearchParams(location.search).get('tab');
  if (named !== null) return Number(named);
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab?.id;
}

const said = byId('said', HTMLElement);
const button = byId('remember', HTMLButtonElement);

async function show(tab: number): Promise<void> {
  const state = await ask<TabState>({ kind: 'state', tab });
  byId('title', HTMLElement).textContent = state.site || 'This page';
  byId('ask', HTMLElement).hidden = state.offered === undefined;
  byId('plain', HTMLElement).hidden = state.offered !== undefined;
  if (state.offered !== undefined) {
    byId('question', HTMLElement).textContent =
      `You typed a password on ${state.offered} for the first time. Remember its page, so that copies of it on other sites are blocked? ` +
      'Only if you are sure that this is the true site.';
    for (const [id, yes] of [['yes', true], ['no', false]] as const) {
      const answer = byId(id, HTMLButtonElement);
      answer.disabled = true;
      setTimeout(() => (answer.disabled = false), DEAF);
      answer.onclick = async () => {
        const { text } = await ask<{ text: string }>({ kind: 'answer first use', tab, remember: yes });
        await show(tab);
        said.textContent = text;
      };
    }
    return;
  }
  const trouble = byId('trouble', HTMLElement);
  trouble.hidden = state.gaveUp === undefined;
  trouble.textContent = state.gaveUp === undefined ? '' : TROUBLE[state.gaveUp];
  const compared = state.compared === 0 ? 'Nothing is remembered yet, so no page is checked.'
    : state.readings === 0 ? 'This page was not checked (yet).'
    : `No part of this page is of another page that you know (${count(state.compared, 'page or list', 'pages and lists')} compared).`;
  byId('state', HTMLElement).textContent = (state.known ? 'A page of this site is remembered. ' : '') + (state.gaveUp === undefined ? compared : '');
  button.textContent = state.known ? 'Remember this page, too' : 'Remember this page';
}

byId('options', HTMLButtonElement).addEventListener('click', () => void chrome.runtime.openOptionsPage());
const tab = await tabShown();
if (tab === undefined) {
  button.disabled = true;
  said.textContent = 'There is no page here.';
} else {
  button.addEventListener('click', async () => {
    button.disabled = true;
    said.className = 'said';
    said.textContent = 'Reading the page…';
    const answer = await ask<{ done: boolean; text: string }>({ kind: 'remember', tab });
    await show(tab);
    said.textContent = answer.text;
    said.classList.toggle('bad', !answer.done);
    button.disabled = false;
  });
  await show(tab);
}
