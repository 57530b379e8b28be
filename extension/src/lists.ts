// Lists of known parts as files: twinset's lines of labels (`twinset labels show --json`), and the
// lists of AuntieTuna, the browser extension of the method's authors. Pure functions.

import { siteOf, hostOf, placeOf } from './sites';

/** What the core knows of rules (rules.ts). */
export interface KnownRules {
  auntietuna: string;
  /** Hexadecimal digits of the hashes; 0 of rules that are not known. */
  digits(line: string): number;
}

/** The known parts of one site. */
export interface SiteList {
  site: string;
  /** The line that says how its parts were made. */
  rules: string;
  hashes: string[];
  /** The first words of each part, where the list has them. */
  texts: (string | undefined)[];
  /** Where they were seen; '' if the list does not say. */
  place: string;
}

/** What is wrong with a list, in a sentence for people. */
export class ListError extends Error {}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

function readHash(value: unknown, digits: number, where: string): string {
  const hash = typeof value === 'string' ? value.toLowerCase() : '';
  if (hash.length !== digits || !/^[0-9a-f]+$/.test(hash)) {
    throw new ListError(`${where} is damaged: ${JSON.stringify(value)?.slice(0, 60) ?? 'nothing'} is no hash of ${digits} hexadecimal digits.`);
  }
  return hash;
}

/** A domain as people write it: a host name or an address. */
function readSite(value: unknown, where: string): string {
  const text = typeof value === 'string' ? value.trim() : '';
  const host = text.includes('://') ? hostOf(text) : hostOf(`http://${text}/`);
  if (text === '' || host === '') throw new ListError(`${where} names no site: it needs a "domain" such as "bank.example".`);
  return siteOf(host);
}

function readAuntieTuna(value: unknown, rules: KnownRules, where: string): SiteList {
  if (!isObject(value) || !Array.isArray(value['hashes'])) {
    throw new ListError(`${where} is no list: it needs "domain" and an array "hashes", as lists of AuntieTuna have.`);
  }
  const site = readSite(value['domain'], where);
  const digits = rules.digits(rules.auntietuna);
  const hashes = value['hashes'].map((hash, i) => readHash(hash, digits, `${where}, hash ${i + 1},`));
  return { site, rules: rules.auntietuna, hashes, texts: [], place: '' };
}

function readLines(text: string, known: KnownRules): SiteList[] {
  const sites = new Map<string, SiteList>();
  let rules = '';
  let digits = 0;
  let number = 0;
  for (let from = 0; from < text.length; ) {
    let to = text.indexOf('\n', from);
    if (to < 0) to = text.length;
    const line = text.slice(from, to).trim();
    from = to + 1;
    number++;
    if (line === '') continue;
    const where = `Line ${number}`;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw new ListError(`${where} is damaged: it is no line of JSON. A list that was cut off looks so.`);
    }
    if (!isObject(value)) throw new ListError(`${where} is no label.`);
    if (typeof value['rules'] === 'string') {
      if (rules !== '' && value['rules'] !== rules) throw new ListError(`${where} has other rules than the lines before it.`);
      rules = value['rules'];
      digits = known.digits(rules);
      if (digits === 0) throw new ListError(`${where} has the rules "${rules.slice(0, 80)}", which this version does not know.`);
      continue;
    }
    if (rules === '') throw new ListError(`${where} comes before the line that says the rules, {"rules": ...}.`);
    if (value['kind'] !== undefined && value['kind'] !== 'chunk') continue;
    const hash = readHash(value['hash'], digits, where);
    const samples = Array.isArray(value['samples']) ? value['samples'] : [];
    if (samples.length === 0) throw new ListError(`${where} names no site: it needs "samples" with the URL of a page.`);
    const words = typeof value['text'] === 'string' ? value['text'].slice(0, 500) : undefined;
    for (const sample of samples) {
      const url = isObject(sample) ? sample['url'] : undefined;
      const site = readSite(url, where);
      let list = sites.get(site);
      if (list === undefined) sites.set(site, (list = { site, rules, hashes: [], texts: [], place: placeOf(String(url)) }));
      if (list.hashes[list.hashes.length - 1] === hash) continue;
      list.hashes.push(hash);
      list.texts.push(words);
    }
  }
  return [...sites.values()];
}

/** The lists of a file, all or none. Throws ListError. */
export function readLists(text: string, rules: KnownRules): SiteList[] {
  const begin = text.replace(/^\ufeff/, '').trimStart();
  if (begin === '') throw new ListError('The file is empty.');
  const first = begin.slice(0, begin.indexOf('\n') < 0 ? begin.length : begin.indexOf('\n'));
  let lists: SiteList[];
  if (begin[0] === '{' && /^\{\s*"(rules|hash|kind|count)"/.test(first)) {
    lists = readLines(begin, rules);
  } else {
    let value: unknown;
    try {
      value = JSON.parse(begin);
    } catch {
      throw new ListError('The file is no list: it is neither lines of twinset nor a list of AuntieTuna, or it was cut off.');
    }
    const all = Array.isArray(value) ? value : [value];
    lists = all.map((one, i) => readAuntieTuna(one, rules, all.length > 1 ? `List ${i + 1}` : 'The list'));
  }
  if (lists.every((list) => list.hashes.length === 0)) throw new ListError('The list has no parts.');
  return lists.filter((list) => list.hashes.length > 0);
}

/** One remembered page, for export. */
export interface ToExport {
  site: string;
  place: string;
  added: number;
  parts: { hash: string; text: string }[];
  auntietuna: string[];
}

/** Lines that `twinset labels import` reads; all parts are made by `rules`. */
export function writeLines(pages: readonly ToExport[], rules: string): string {
  const labels = new Map<string, { text: string; urls: string[] }>();
  for (const page of pages) {
    for (const part of page.parts) {
      const label = labels.get(part.hash);
      if (label === undefined) labels.set(part.hash, { text: part.text.slice(0, 200), urls: [page.place] });
      else if (!label.urls.includes(page.place) && label.urls.length < 10) label.urls.push(page.place);
    }
  }
  const lines = [JSON.stringify({ rules, labels: labels.size })];
  for (const [hash, { text, urls }] of [...labels].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const samples = urls.sort().map((url) => ({ url }));
    lines.push(JSON.stringify({ hash, kind: 'chunk', count: urls.length, documents: urls.length, samples, text }));
  }
  return lines.join('\n') + '\n';
}

/** An array of lists of AuntieTuna, one for each site. */
export function writeAuntieTuna(pages: readonly ToExport[]): string {
  const sites = new Map<string, { added: number; hashes: Set<string> }>();
  for (const page of pages) {
    const list = sites.get(page.site) ?? { added: 0, hashes: new Set<string>() };
    list.added = Math.max(list.added, page.added);
    for (const hash of page.auntietuna) list.hashes.add(hash);
    sites.set(page.site, list);
  }
  const lists = [...sites].map(([domain, { added, hashes }]) =>
    ({ domain, last_updated: new Date(added).toISOString(), hashes: [...hashes].sort() }));
  return JSON.stringify(lists, null, 1) + '\n';
}
