// The worker: reads what the content scripts send, compares it with what is remembered, and blocks
// a tab. One reading is judged at a time, in the order in which they ended.

import { Labels, load, type Core } from 'twinset-wasm';
import { choose, draftOf, join, knownOf, partReader, type Draft } from './drafts';
import { judge, type Compared, type Imitation } from './judge';
import type { Ask, Cost, FromPage, GaveUp, Part, Result, TabState, ToPage, ToTab, Warning, Why } from './messages';
import { isKnown, linesOf, type Lines } from './rules';
import { hostOfDocument, placeOf, siteOf } from './sites';
import { all, one, put, settings, type Known, type Settings } from './store';

/** Characters of readings that wait to be judged, of all tabs. */
const MOST_WAITING = 64 << 20;
/** So often a document of a tab is read again because of that. */
const MOST_AGAIN = 3;
/** Parts of each page that a warning shows, and warnings that are kept. */
const MOST_SHOWN = 60;
const MOST_WARNINGS = 20;
/** Milliseconds to wait for the frames of a page that is remembered. */
const FRAMES = 400;
const PATIENCE = 15000;

// The core and what is remembered, loaded once in a worker's life.

let core: Promise<Core> | undefined;
function loadedCore(): Promise<Core> {
  core ??= load(chrome.runtime.getURL('chunks.wasm'));
  core.catch(() => {
    core = undefined;
  });
  return core;
}

interface Memory {
  settings: Settings;
  known: Known[];
  lines: Lines;
  /** What is compared under each rules. */
  compared: Map<string, Compared[]>;
  allowed: Map<string, Set<string>>;
  /** Some sets of hashes could not be read, or are of rules that another version had. */
  damaged: boolean;
}

const NO_BYTES = new Uint8Array();
let memory: Promise<Memory> | undefined;
async function readMemory(): Promise<Memory> {
  const [now, known, allowed, cut] = await Promise.all([settings(), all('known'), all('allowed'), loadedCore()]);
  const lines = linesOf(cut);
  const compared = new Map<string, Compared[]>();
  let damaged = false;
  for (const entry of known) {
    const wanted = entry.labels.filter(({ rules }) => (entry.fromList ? isKnown(cut, rules) : rules === lines[now.whiteSpace]));
    if (wanted.length < (entry.fromList ? entry.labels.length : 1)) damaged = true;
    for (const { rules, bytes } of wanted) {
      let labels: Labels;
      try {
        labels = Labels.fromBytes(bytes);
      } catch {
        damaged = true;
        continue;
      }
      const those = compared.get(rules) ?? [];
      compared.set(rules, those);
      those.push({ id: entry.id, site: entry.site, size: labels.size, has: (hash) => labels.has(hash) });
    }
    // A second copy of a large list would be waste.
    entry.labels = entry.labels.map((one) => ({ ...one, bytes: NO_BYTES }));
  }
  const sites = new Map<string, Set<string>>();
  for (const { site, like } of allowed) sites.set(site, (sites.get(site) ?? new Set()).add(like));
  return { settings: now, known, lines, compared, allowed: sites, damaged };
}
function remembered(): Promise<Memory> {
  memory ??= readMemory();
  memory.catch(() => {
    memory = undefined;
  });
  return memory;
}

// The state of tabs, which outlives the worker, not the browser.

interface Tab extends TabState {
  url: string;
  document: string;
  passwords: boolean;
  /** Readings that were too much at once, one after the other. */
  again: number;
  /** Addresses that were read and not blocked, the last one last. */
  fine: { url: string; site: string }[];
  wentBackTo?: string;
}

async function tabState(tab: number): Promise<Tab> {
  const key = `tab ${tab}`;
  const stored = (await chrome.storage.session.get(key))[key] as Tab | undefined;
  return stored ?? { url: '', document: '', host: '', site: '', readings: 0, known: false, compared: 0, passwords: false, again: 0, fine: [] };
}
async function keepTab(tab: number, state: Tab): Promise<void> {
  await chrome.storage.session.set({ [`tab ${tab}`]: state });
  const [text, title] = state.offered !== undefined
    ? ['?', `twinset asks: remember the page of ${state.offered}?`]
    : state.gaveUp !== undefined ? ['!', 'twinset could not check this page to its end'] : ['', 'twinset'];
  await Promise.all([
    chrome.action.setBadgeText({ tabId: tab, text }),
    chrome.action.setBadgeBackgroundColor({ tabId: tab, color: '#8a4b00' }),
    chrome.action.setTitle({ tabId: tab, title }),
  ]).catch(() => undefined); // the tab is gone
}

// One thing after another.

let last: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const next = last.then(work);
  last = next.catch(() => undefined);
  return next;
}

// Readings.

interface Reading {
  tab: number;
  frame: number;
  document: string;
  url: string;
  site: string;
  host: string;
  title: string;
  why: Why;
  html: string;
  gaveUp: GaveUp | undefined;
  passwords: number;
  cost: Cost;
  /** The document is gone: its tab shows another, which must not be blocked for it. */
  gone(): boolean;
}

/** Tabs whose page is being remembered. */
interface Collecting {
  open: number;
  drafts: Draft[];
  top: Draft | undefined;
  changed(): void;
}
const collecting = new Map<number, Collecting>();
let waiting = 0;

chrome.runtime.onConnect.addListener((port) => {
  const sender = port.sender;
  const tab = sender?.tab?.id;
  if (port.name !== 'reading' || sender?.id !== chrome.runtime.id || tab === undefined) {
    port.disconnect();
    return;
  }
  const pieces: string[] = [];
  let characters = 0;
  let busy = false;
  let reading: Omit<Reading, 'html' | 'gaveUp' | 'passwords' | 'cost' | 'gone'> | undefined;
  let collects: Collecting | undefined;
  let ended = false;
  const close = () => {
    if (ended) return;
    ended = true;
    waiting -= characters;
    if (collects !== undefined) {
      collects.open--;
      collects.changed();
    }
  };
  const post = (message: ToPage) => {
    try {
      port.postMessage(message);
    } catch {
      // The document is gone.
    }
  };
  let judging = false;
  let gone = false;
  port.onDisconnect.addListener(() => {
    gone = true;
    if (!judging) close();
  });
  port.onMessage.addListener((message: FromPage) => {
    if (message.kind === 'begin') {
      const host = hostOfDocument(sender.url, sender.origin, message.around);
      const url = sender.url ?? '';
      reading = { tab, frame: sender.frameId ?? 0, document: sender.documentId ?? url, url, host, site: siteOf(host),
        title: message.title, why: message.why };
      if (message.why === 'remember') {
        collects = collecting.get(tab);
        if (collects !== undefined) collects.open++;
      }
      const asks = message.why !== 'look';
      const hidden = (sender as { documentLifecycle?: string }).documentLifecycle === 'prerender';
      remembered().then(
        ({ known }) => post({ kind: 'go', go: !hidden && (asks || known.length > 0) }),
        () => post({ kind: 'go', go: true }), // the check will fail, and be told
      );
    } else if (message.kind === 'piece') {
      if (waiting + message.html.length > MOST_WAITING) {
        busy = true;
        return;
      }
      waiting += message.html.length;
      characters += message.html.length;
      pieces.push(message.html);
    } else if (reading !== undefined) {
      judging = true;
      const whole: Reading = { ...reading, html: pieces.join(''), gaveUp: busy ? 'busy' : message.gaveUp,
        passwords: message.passwords, cost: message.cost, gone: () => gone };
      pieces.length = 0;
      void inTurn(() => judged(whole, collects)).then(
        (result) => post({ kind: 'done', result }),
        (error: unknown) => {
          console.error('twinset: a reading failed', error);
          return failed(whole);
        },
      ).finally(close);
    }
  });
});

/** The check itself failed: this is told like a page that was not read to its end. */
async function failed(reading: Reading): Promise<void> {
  const state = await tabState(reading.tab);
  state.gaveUp = 'failed';
  if (reading.passwords > 0) state.passwords = true;
  if (!(await blockedUnchecked(reading, state, await remembered().catch(() => undefined)))) await keepTab(reading.tab, state);
}

/** A page that asks for a password and could not be compared is blocked, but for a site that is remembered or allowed. */
async function blockedUnchecked(reading: Reading, state: Tab, memory: Memory | undefined): Promise<boolean> {
  if (state.gaveUp === undefined || !state.passwords || state.known || memory === undefined || memory.known.length === 0 ||
    memory.allowed.get(state.site)?.has('') === true || reading.gone()) return false;
  await block(reading, state, { kind: 'unchecked', site: state.site, host: state.host, gaveUp: state.gaveUp });
  return true;
}

/** Compares one reading. */
async function judged(reading: Reading, collects: Collecting | undefined): Promise<Result> {
  // Whoever logs in leaves the page: its form may be remembered all the same.
  if (reading.gone() && reading.why === 'look') return 'fine';
  const began = performance.now();
  const memoryNow = await remembered();
  const { known, lines, compared, allowed, damaged, settings: now } = memoryNow;
  const state = await tabState(reading.tab);
  if (reading.frame === 0 && !reading.gone()) {
    if (state.document !== reading.document) {
      delete state.gaveUp;
      state.passwords = false;
      state.again = 0;
    }
    Object.assign(state, { url: reading.url, document: reading.document, host: reading.host, site: reading.site, cost: reading.cost });
    state.known = known.some((entry) => entry.site === reading.site && !entry.fromList);
  }
  state.compared = known.length;
  const cut = await loadedCore();
  const may = allowed.get(reading.site) ?? new Set<string>();
  let worst: Imitation | undefined;
  let by = '';
  for (const [rules, those] of compared) {
    const hashes = cut.chunk(reading.html, rules).map((chunk) => chunk.hash);
    const [first] = judge(hashes, reading.site, those, may, now.threshold);
    if (first !== undefined && (worst === undefined || first.matched.length > worst.matched.length)) [worst, by] = [first, rules];
  }
  if (worst !== undefined && reading.gone()) return 'fine';
  if (worst !== undefined) {
    const entry = known.find((one) => one.id === worst.id)!;
    await block(reading, state, imitationOf(cut, lines, reading, entry, worst, by));
    return 'blocked';
  }
  const gaveUp = reading.gaveUp ?? (damaged ? 'damaged' : undefined);
  if (gaveUp !== undefined) state.gaveUp = gaveUp;
  else if (reading.frame === 0) delete state.gaveUp;
  state.again = gaveUp === 'busy' ? state.again + 1 : 0;
  if (state.again > 0 && state.again <= MOST_AGAIN) {
    await keepTab(reading.tab, state);
    return 'again';
  }
  if (reading.passwords > 0) state.passwords = true;
  if (await blockedUnchecked(reading, state, memoryNow)) return 'blocked';
  state.readings++;
  if (reading.frame === 0) {
    state.took = performance.now() - began;
    if (state.fine[state.fine.length - 1]?.url !== reading.url) state.fine.push({ url: reading.url, site: reading.site });
    state.fine = state.fine.slice(-10);
  }
  if (collects !== undefined) {
    const draft = draftOf(cut, reading.html, reading.site, reading.title, placeOf(reading.url));
    if (reading.frame === 0) collects.top = draft;
    else collects.drafts.push(draft);
  } else if (reading.why === 'password') {
    await offer(cut, reading, state, known, now);
  }
  await keepTab(reading.tab, state);
  return 'fine';
}

/** A password was typed for the first time on this site: its page may be remembered. Asked once. */
async function offer(cut: Core, reading: Reading, state: Tab, known: readonly Known[], now: Settings): Promise<void> {
  if (!now.firstUse || reading.site === '' || reading.gaveUp !== undefined) return;
  if (known.some((entry) => entry.site === reading.site && !entry.fromList)) return;
  if ((await one('asked', reading.site)) !== undefined) return;
  const draft = draftOf(cut, reading.html, reading.site, reading.title, placeOf(reading.url));
  if (draft.parts.length === 0) return;
  await put('asked', [{ id: reading.site }]);
  await chrome.storage.session.set({ [`offer ${reading.tab}`]: draft });
  state.offered = reading.site;
}

// Blocking.

function imitationOf(cut: Core, lines: Lines, reading: Reading, entry: Known, found: Imitation, rules: string): Partial<Warning> {
  const same = new Set(found.matched);
  const words = partReader(reading.html);
  const here = cut.chunk(reading.html, rules);
  // Only what is shown is decoded: a page may have a million parts.
  const shown = choose(here.map((chunk, i) => ({ html: String(i), same: same.has(chunk.hash) })), MOST_SHOWN);
  const texts = entry.parts.map((part): Part => {
    const hash = rules === lines.keep ? part.keep : part.normalize;
    return { html: part.html, same: hash !== undefined && same.has(hash) };
  });
  return {
    kind: 'imitation',
    site: reading.site,
    host: reading.host,
    knownSite: entry.site,
    knownTitle: entry.title,
    knownAt: entry.added,
    fromList: entry.fromList,
    matched: found.matched.length,
    of: entry.labels.find((one) => one.rules === rules)?.count ?? 0,
    known: choose(texts, MOST_SHOWN),
    here: shown.map((part) => ({ html: words(here[Number(part.html)]!), same: part.same })),
  };
}

async function block(reading: Reading, state: Tab, facts: Partial<Warning>): Promise<void> {
  const id = crypto.randomUUID();
  const warning: Warning = { id, tab: reading.tab, kind: 'imitation', url: state.url || reading.url, host: reading.host, site: reading.site,
    knownSite: '', knownTitle: '', knownAt: 0, fromList: false, matched: 0, of: 0, known: [], here: [], ...facts };
  const stored = await chrome.storage.session.get('warnings');
  const ids = [...((stored['warnings'] as string[] | undefined) ?? []), id];
  await chrome.storage.session.set({ [`warning ${id}`]: warning, warnings: ids.slice(-MOST_WARNINGS) });
  await chrome.storage.session.remove(ids.slice(0, -MOST_WARNINGS).map((old) => `warning ${old}`));
  await keepTab(reading.tab, state);
  // The page's own question whether to leave it must not stop this.
  const leaving: ToTab = { kind: 'leaving' };
  await Promise.race([chrome.tabs.sendMessage(reading.tab, leaving).catch(() => undefined), wait(200)]);
  if (!reading.gone()) await chrome.tabs.update(reading.tab, { url: chrome.runtime.getURL(`blocked.html?id=${id}`) });
}

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

// What the extension's own pages ask.

async function warningOf(id: string): Promise<Warning | undefined> {
  const key = `warning ${id}`;
  return (await chrome.storage.session.get(key))[key] as Warning | undefined;
}

async function goBack(id: string): Promise<void> {
  const warning = await warningOf(id);
  if (warning === undefined) return;
  const state = await tabState(warning.tab);
  const before = [...state.fine].reverse().find(({ site }) => site !== warning.site && site !== siteOf(state.host));
  // Where one way back has led here again, the next is an empty page.
  const url = before === undefined || before.url === state.wentBackTo ? 'about:blank' : before.url;
  state.wentBackTo = url;
  await keepTab(warning.tab, state);
  await chrome.tabs.update(warning.tab, { url });
}

async function goOn(id: string): Promise<void> {
  const warning = await warningOf(id);
  if (warning === undefined) return;
  const like = warning.kind === 'imitation' ? warning.knownSite : '';
  await put('allowed', [{ id: `${warning.site} ${like}`, site: warning.site, like, added: Date.now() }]);
  memory = undefined;
  await chrome.tabs.update(warning.tab, { url: warning.url });
}

/** A sentence for people. */
async function remember(tab: number): Promise<{ done: boolean; text: string }> {
  const collected: Collecting = { open: 0, drafts: [], top: undefined, changed: () => undefined };
  const finished = new Promise<void>((resolve) => {
    collected.changed = () => {
      if (collected.open === 0 && collected.top !== undefined) void wait(FRAMES).then(() => collected.open === 0 && resolve());
    };
  });
  collecting.set(tab, collected);
  try {
    const message: ToTab = { kind: 'remember' };
    await chrome.tabs.sendMessage(tab, message);
    await Promise.race([finished, wait(PATIENCE)]);
  } catch {
    return { done: false, text: 'This page cannot be remembered. If it was open before the extension was installed, load it again.' };
  } finally {
    collecting.delete(tab);
  }
  const top = collected.top;
  if (top === undefined) return { done: false, text: 'The page could not be read. Load it again, and try once more.' };
  return keepPage(join([top, ...collected.drafts.filter((draft) => draft.site === top.site)])!);
}

async function keepPage(draft: Draft): Promise<{ done: boolean; text: string }> {
  if (draft.site === '') return { done: false, text: 'This page belongs to no site (it is empty, or a file on this computer), so it cannot be remembered.' };
  if (draft.parts.length === 0) return { done: false, text: 'This page has no part of 26 characters or more, so copies of it could not be known.' };
  const before = (await all('known')).find((entry) => !entry.fromList && entry.site === draft.site && entry.place === draft.place);
  const entry = knownOf(draft, linesOf(await loadedCore()), before?.id ?? crypto.randomUUID(), Date.now());
  await put('known', [entry]);
  memory = undefined;
  const parts = entry.labels[0]?.count ?? 0;
  return { done: true, text: `Remembered: ${parts === 1 ? 'one part' : `${parts} parts`} of this page of ${draft.site}.` };
}

async function answerFirstUse(tab: number, yes: boolean): Promise<{ done: boolean; text: string }> {
  const key = `offer ${tab}`;
  const draft = (await chrome.storage.session.get(key))[key] as Draft | undefined;
  await chrome.storage.session.remove(key);
  const state = await tabState(tab);
  delete state.offered;
  const answer = yes && draft !== undefined ? await keepPage(draft) : { done: true, text: 'Not remembered. You can do it later with the button.' };
  if (yes && answer.done && draft?.site === state.site) state.known = true;
  await keepTab(tab, state);
  return answer;
}

async function answerTo(message: Ask): Promise<unknown> {
  switch (message.kind) {
    case 'state': {
      const state = await tabState(message.tab);
      const { known } = await remembered();
      return { ...state, compared: known.length, known: known.some((entry) => entry.site === state.site && !entry.fromList) };
    }
    case 'remember':
      return remember(message.tab);
    case 'answer first use':
      return inTurn(() => answerFirstUse(message.tab, message.remember));
    case 'warning':
      return (await warningOf(message.id)) ?? null;
    case 'go back':
      return goBack(message.id);
    case 'go on':
      return goOn(message.id);
    case 'changed':
      memory = undefined;
      return true;
    default:
      return null;
  }
}

chrome.runtime.onMessage.addListener((message: Ask, sender, answer) => {
  if (sender.id !== chrome.runtime.id) return false;
  if (message.kind === 'password left') {
    const tab = sender.tab;
    if (tab?.id !== undefined) {
      // Where the browser lets no popup open by itself, the mark on the button is all.
      void inTurn(() => tabState(tab.id!)).then((state) => {
        if (state.offered !== undefined) return chrome.action.openPopup?.({ windowId: tab.windowId });
        return undefined;
      }).catch(() => undefined);
    }
    return false;
  }
  // All else is for the extension's own pages.
  if (sender.url?.startsWith(chrome.runtime.getURL('')) !== true) return false;
  answerTo(message).then(answer, (error: unknown) => answer({ error: String(error) }));
  return true;
});

chrome.tabs.onRemoved.addListener((tab) => {
  void chrome.storage.session.remove([`tab ${tab}`, `offer ${tab}`]);
});
