// The options: what is remembered and allowed, how pages are compared, lists in and out.

import { Labels, load } from 'twinset-wasm';
import { ask, byId, count, day, element, textOf } from './dom';
import { labelsOf } from './drafts';
import { ListError, readLists, writeAuntieTuna, writeLines, type ToExport } from './lists';
import { digitsOf, isKnown, linesOf } from './rules';
import { all, put, remove, settings, type Known } from './store';

const said = byId('said', HTMLElement);
function say(text: string, bad = false): void {
  said.textContent = text;
  said.classList.toggle('bad', bad);
}

async function changed(text: string): Promise<void> {
  await ask({ kind: 'changed' });
  await show();
  say(text);
}

function rows(id: string, made: HTMLTableRowElement[]): void {
  const body = document.getElementById(id)!;
  body.replaceChildren(...made);
  byId(`no-${id}`, HTMLElement).hidden = made.length > 0;
  body.closest('table')!.hidden = made.length === 0;
}

function row(cells: (string | Node)[], label: string, name: string, act: () => Promise<void>): HTMLTableRowElement {
  const button = element('button', { type: 'button', ariaLabel: name }, label);
  button.addEventListener('click', () => void act().catch((error: unknown) => say(`It did not work: ${String(error)}`, true)));
  return element('tr', {}, ...cells.map((cell) => element('td', {}, cell)), element('td', { className: 'act' }, button));
}

const sizeOf = (entry: Known) => entry.labels[0]?.count ?? 0;
function isDamaged(entry: Known): boolean {
  try {
    for (const { bytes } of entry.labels) Labels.fromBytes(bytes);
    return false;
  } catch {
    return true;
  }
}
const loadedCore = () => load(chrome.runtime.getURL('chunks.wasm'));

async function show(): Promise<void> {
  const [known, allowed, asked, now, core] = await Promise.all([all('known'), all('allowed'), all('asked'), settings(), loadedCore()]);
  rows('known', known.sort((a, b) => a.site.localeCompare(b.site) || a.added - b.added).map((entry) =>
    row([entry.site, entry.fromList ? `list ${entry.file}` : `${entry.title || 'a page'} (${entry.place})`,
      isDamaged(entry) ? 'Damaged: not compared. Forget it, and remember it again.'
        : entry.labels.every(({ rules }) => isKnown(core, rules)) ? count(sizeOf(entry), 'part', 'parts') : 'Not compared: made by another version. Remember it again.',
      day(entry.added)],
    'Forget', `Forget ${entry.fromList ? `the list of ${entry.site}` : `${entry.title} of ${entry.site}`}`, async () => {
      await remove('known', entry.id);
      await changed(`${entry.site} is forgotten.`);
    })));
  rows('allowed', allowed.map((one) =>
    row([one.site || 'files on this computer', one.like || 'anything: it could not be checked', day(one.added)], 'Undo', `Undo: block ${one.site} again`, async () => {
      await remove('allowed', one.id);
      await changed(`${one.site} is checked again.`);
    })));
  rows('asked', asked.map((one) =>
    row([one.id], 'Ask again', `Ask again on ${one.id}`, async () => {
      await remove('asked', one.id);
      await changed(`You are asked again on ${one.id}.`);
    })));
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type=radio]')) {
    input.checked = input.value === (input.name === 'white-space' ? now.whiteSpace : now.threshold.mode);
  }
  byId('share', HTMLInputElement).value = String(now.threshold.share);
  byId('first-use', HTMLInputElement).checked = now.firstUse;
}

async function keepSettings(): Promise<void> {
  const chosen = (name: string) => document.querySelector<HTMLInputElement>(`input[name=${name}]:checked`)?.value;
  const share = Math.round(Number(byId('share', HTMLInputElement).value));
  if (!(share >= 1 && share <= 100)) {
    say('The share is a whole number from 1 to 100.', true);
    return;
  }
  await put('settings', [{ id: 'settings', whiteSpace: chosen('white-space') === 'keep' ? 'keep' : 'normalize',
    threshold: { mode: chosen('threshold') === 'share' ? 'share' : 'one', share }, firstUse: byId('first-use', HTMLInputElement).checked }]);
  await changed('Kept.');
}

async function importFile(file: File): Promise<void> {
  say(`Reading ${file.name}…`);
  const core = await loadedCore();
  const lists = readLists(await file.text(), { auntietuna: linesOf(core).auntietuna, digits: (line) => digitsOf(core, line) });
  const added = Date.now();
  const entries = lists.map((list): Known => {
    const texts = list.texts.some((text) => text !== undefined);
    return {
      id: crypto.randomUUID(), site: list.site, title: '', place: list.place, added, fromList: true, file: file.name.slice(0, 100),
      labels: [labelsOf(list.hashes, list.rules)],
      parts: texts ? list.hashes.slice(0, 5000).map((hash, i) => ({ html: escaped(list.texts[i] ?? ''), normalize: hash })) : [],
      auntietuna: [],
    };
  });
  await put('known', entries);
  const parts = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
  await changed(`Imported ${file.name}: ${count(parts, 'part', 'parts')} of ${count(entries.length, 'site', 'sites')}.`);
}

/** Text as words of a part, whose character references are not decoded yet. */
const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

async function toExport(): Promise<ToExport[]> {
  const { normalize } = linesOf(await loadedCore());
  const pages = (await all('known')).filter((entry) => !entry.fromList && entry.labels.some(({ rules }) => rules === normalize));
  return pages.map((entry) => ({
    site: entry.site, place: entry.place, added: entry.added, auntietuna: entry.auntietuna,
    parts: entry.parts.flatMap((part) => (part.normalize === undefined ? [] : [{ hash: part.normalize, text: textOf(part.html) }])),
  }));
}

function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

async function exportPages(write: (pages: ToExport[]) => string | Promise<string>, name: string): Promise<void> {
  const pages = await toExport();
  if (pages.length === 0) {
    say('No page is remembered, so there is nothing to export. Imported lists are not exported again.', true);
    return;
  }
  save(await write(pages), name);
  say(`Exported ${count(pages.length, 'page', 'pages')} as ${name}.`);
}

const failed = (error: unknown) => say(`It did not work: ${String(error)}`, true);
byId('settings', HTMLFormElement).addEventListener('change', () => void keepSettings().catch(failed));
byId('settings', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
byId('export-lines', HTMLButtonElement).addEventListener('click', () => void exportPages(async (pages) => writeLines(pages, linesOf(await loadedCore()).normalize), 'twinset-labels.jsonl').catch(failed));
byId('export-auntietuna', HTMLButtonElement).addEventListener('click', () => void exportPages(writeAuntieTuna, 'auntietuna.json').catch(failed));
byId('file', HTMLInputElement).addEventListener('change', (event) => {
  const input = event.target as HTMLInputElement;
  const file = input.files?.[0];
  if (file === undefined) return;
  importFile(file).catch((error: unknown) => {
    say(`${file.name} was not imported, and nothing was changed. ${error instanceof ListError ? error.message : String(error)}`, true);
  }).finally(() => {
    input.value = '';
  });
});
void show();
