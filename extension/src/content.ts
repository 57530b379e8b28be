// In each document: reads it after it has loaded and after it has changed, and gives the HTML to
// the worker, piece by piece. It compares nothing, changes nothing in the page and listens to none
// of the page's messages. No slice of its work is longer than a few milliseconds, and all of them
// together take at most a twentieth of the time.

import type { Ask, Cost, FromPage, GaveUp, ToPage, ToTab, Why } from './messages';
import { serialize, type Seen } from './serialize';

/** Milliseconds of one slice; of one that must see a changing page whole. */
const SLICE = 8;
const LONG_SLICE = 35;
/** A page is read when it has been quiet for so long, or has changed for so long. */
const QUIET = 400;
const NOT_LATER = 2000;
/** After a reading of t ms of this thread, the next begins no sooner than 20 t, within these. */
const REST_LEAST = 500;
const REST_MOST = 10000;
/** Where a reading gives up. */
const MOST_CHARACTERS = 32 << 20;
const MOST_NODES = 2_000_000;
const MOST_TOTAL = 8000;
/** The same with the time that the page's own scripts take between the slices; of a stop, such as that of a tab that
 * sleeps, no more than a second counts. */
const MOST_WAITED = 12000;
/** So many readings in a row that lost their place by changes of the page, and it is called changing. */
const MOST_TORN = 4;

let timer: ReturnType<typeof setTimeout> | undefined;
let timerAt = Infinity;
let changedSince: number | undefined;
let restUntil = 0;
let reading = false;
let wanted: Why | undefined;
let torn = 0;
let leaving = false;
let passwordTyped = false;

const observer = new MutationObserver(changed);
const observed = new WeakSet<Node>();
function observe(root: Node): void {
  if (observed.has(root)) return;
  observed.add(root);
  observer.observe(root, { childList: true, characterData: true, subtree: true });
}

/** Reads at `time`, or sooner if that is planned already. */
function plan(time: number): void {
  if (time >= timerAt) return;
  clearTimeout(timer);
  timerAt = time;
  timer = setTimeout(() => {
    timerAt = Infinity;
    void read(wanted ?? 'look');
  }, Math.max(0, time - performance.now()));
}

function changed(): void {
  listen();
  const now = performance.now();
  changedSince ??= now;
  const quiet = Math.min(now + QUIET, changedSince + NOT_LATER);
  // Changes put the reading off, but never beyond its latest time.
  if (timerAt > now && timerAt < Math.max(quiet, restUntil)) {
    clearTimeout(timer);
    timerAt = Infinity;
  }
  plan(Math.max(quiet, restUntil));
}

function ask(message: Ask): void {
  void chrome.runtime.sendMessage(message).catch(() => undefined);
}

/** One time slice later; not slowed down as timers are. */
function later(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(0);
  });
}

async function read(why: Why): Promise<void> {
  if (reading) {
    if (why !== 'look' || wanted === undefined) wanted = why;
    return;
  }
  if ((document as { prerendering?: boolean }).prerendering === true) return;
  reading = true;
  wanted = undefined;
  changedSince = undefined;
  try {
    const cost = await readOnce(why);
    restUntil = performance.now() + Math.min(REST_MOST, Math.max(REST_LEAST, 20 * cost));
  } catch {
    // The worker was stopped, or the extension updated: try again a little later.
    restUntil = performance.now() + 2000;
    if (chrome.runtime?.id !== undefined) plan(restUntil);
  } finally {
    reading = false;
    if (wanted !== undefined) void read(wanted);
    else if (changedSince !== undefined) changed();
  }
}

/** Milliseconds of this thread that it took. */
async function readOnce(why: Why): Promise<number> {
  const port = chrome.runtime.connect({ name: 'reading' });
  const answers: ToPage[] = [];
  let wake: (() => void) | undefined;
  let closed = false;
  port.onMessage.addListener((message: ToPage) => {
    answers.push(message);
    wake?.();
  });
  port.onDisconnect.addListener(() => {
    closed = true;
    wake?.();
  });
  const answer = async (): Promise<ToPage> => {
    while (answers.length === 0 && !closed) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const first = answers.shift();
    if (first === undefined) throw new Error('the worker is gone');
    return first;
  };
  const post = (message: FromPage) => port.postMessage(message);
  try {
    const around = [...((location as { ancestorOrigins?: Iterable<string> }).ancestorOrigins ?? [])];
    post({ kind: 'begin', why, around, title: titleOf().slice(0, 200) });
    const go = await answer();
    if (go.kind === 'go' && !go.go) return 0;
    const seen: Seen = { nodes: 0, resumed: false, lost: 0, passwords: 0, shadows: [] };
    const cost: Cost = { nodes: 0, characters: 0, slices: 0, total: 0, longest: 0 };
    const slice = torn > 0 ? LONG_SLICE : SLICE;
    let gaveUp: GaveUp | undefined;
    const pieces = serialize(document, seen);
    let waited = 0;
    for (let done = false; !done && gaveUp === undefined; ) {
      const began = performance.now();
      let kept = '';
      seen.resumed = cost.slices > 0;
      while (performance.now() - began < slice) {
        const next = pieces.next();
        if (next.done === true) {
          done = true;
          break;
        }
        kept += next.value;
        if (cost.characters + kept.length > MOST_CHARACTERS || seen.nodes > MOST_NODES) {
          gaveUp = 'large';
          break;
        }
        if (kept.length > 1 << 17) {
          post({ kind: 'piece', html: kept });
          cost.characters += kept.length;
          kept = '';
        }
      }
      if (kept !== '') post({ kind: 'piece', html: kept });
      cost.characters += kept.length;
      const took = performance.now() - began;
      cost.slices++;
      cost.total += took;
      cost.longest = Math.max(cost.longest, took);
      if (!done && gaveUp === undefined) {
        const ended = performance.now();
        await later();
        waited += Math.min(1000, performance.now() - ended);
        if (cost.total > MOST_TOTAL || cost.total + waited > MOST_WAITED) gaveUp = 'slow';
        if (closed) throw new Error('the worker is gone');
      }
    }
    for (const shadow of seen.shadows) observe(shadow);
    torn = seen.lost > 0 ? torn + 1 : 0;
    if (torn > 0) changedSince ??= performance.now();
    if (torn >= MOST_TORN) gaveUp ??= 'changing';
    cost.nodes = seen.nodes;
    if (gaveUp !== undefined && querySelector.call(document, 'input[type=password i]') !== null) seen.passwords++;
    post({ kind: 'end', gaveUp, passwords: seen.passwords, cost });
    const done = await answer();
    if (done.kind === 'done' && done.result !== 'fine') plan(performance.now() + 3000);
    return cost.total;
  } finally {
    port.disconnect();
  }
}

const documentTitle = Object.getOwnPropertyDescriptor(Document.prototype, 'title')!.get!;
const documentState = Object.getOwnPropertyDescriptor(Document.prototype, 'readyState')!.get!;
const querySelector = Document.prototype.querySelector;
function titleOf(): string {
  return String(documentTitle.call(document));
}

function isPassword(event: Event): boolean {
  const target = event.composedPath()[0];
  return target instanceof HTMLInputElement && target.type === 'password';
}

/** Someone is about to write into the page: it is read now, not when it is quiet. */
function onFocus(event: Event): void {
  const target = event.composedPath()[0];
  if (!event.isTrusted || !(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
  plan(Math.max(performance.now(), Math.min(restUntil, performance.now() + 1000)));
}

function onInput(event: Event): void {
  if (!event.isTrusted || passwordTyped || !isPassword(event)) return;
  passwordTyped = true;
  void read('password');
}

function onPasswordLeft(event: Event): void {
  if (event.isTrusted && isPassword(event)) ask({ kind: 'password left' });
}

/** A page that is being blocked asks nobody whether to stay. */
function onLeave(event: Event): void {
  if (leaving) event.stopImmediatePropagation();
}

function onLoaded(): void {
  plan(performance.now());
}

/** Sets all listeners, again where document.open() took them away. */
function listen(): void {
  const add = EventTarget.prototype.addEventListener;
  add.call(window, 'beforeunload', onLeave, true);
  add.call(window, 'focusin', onFocus, true);
  add.call(window, 'input', onInput, true);
  add.call(window, 'change', onPasswordLeft, true);
  add.call(window, 'load', onLoaded, true);
  add.call(window, 'pageshow', onLoaded, true);
  add.call(document, 'DOMContentLoaded', onLoaded, true);
  add.call(document, 'prerenderingchange', onLoaded, true);
}

chrome.runtime.onMessage.addListener((message: ToTab, sender, answer) => {
  if (sender.id !== chrome.runtime.id) return;
  if (message.kind === 'leaving') leaving = true;
  if (message.kind === 'remember') void read('remember');
  answer(true);
});

listen();
observe(document);
if (documentState.call(document) !== 'loading') onLoaded();
