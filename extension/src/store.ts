// What is remembered, in a database of this browser (IndexedDB). Each change is one transaction:
// it is whole or not there.

import type { Threshold } from './judge';
import type { WhiteSpace } from './rules';

/** A remembered page, or the part of an imported list that is of one site. */
export interface Known {
  id: string;
  site: string;
  title: string;
  /** Its address without query and fragment. */
  place: string;
  added: number;
  fromList: boolean;
  /** The name of the file, of a list. */
  file: string;
  /** Sets of hashes, Labels.toBytes(), which have their rules: of a page one for each white space, of a list one. */
  labels: { rules: string; bytes: Uint8Array; count: number }[];
  /** In the order of the page. A list has none, or its first words. */
  parts: KnownPart[];
  /** Hashes of a page for lists of AuntieTuna. */
  auntietuna: string[];
}

export interface KnownPart {
  /** Its words, whose character references are not decoded yet. */
  html: string;
  normalize?: string;
  keep?: string;
}

/** The user knows `site`, which resembles `like`. */
export interface Allowed {
  id: string;
  site: string;
  like: string;
  added: number;
}

export interface Settings {
  id: 'settings';
  whiteSpace: WhiteSpace;
  threshold: Threshold;
  firstUse: boolean;
}

export const DEFAULTS: Settings = { id: 'settings', whiteSpace: 'normalize', threshold: { mode: 'one', share: 20 }, firstUse: true };

/** Sites whose page was offered to be remembered once. */
export interface Asked {
  id: string;
}

interface Stores {
  known: Known;
  allowed: Allowed;
  asked: Asked;
  settings: Settings;
}
const NAMES = ['known', 'allowed', 'asked', 'settings'] as const;

let opened: Promise<IDBDatabase> | undefined;
function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('twinset', 1);
    request.onupgradeneeded = () => {
      for (const name of NAMES) request.result.createObjectStore(name, { keyPath: 'id' });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the database does not open'));
  });
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the database failed'));
  });
}

export async function all<N extends keyof Stores>(name: N): Promise<Stores[N][]> {
  return result((await database()).transaction(name).objectStore(name).getAll()) as Promise<Stores[N][]>;
}

export async function one<N extends keyof Stores>(name: N, id: string): Promise<Stores[N] | undefined> {
  return result((await database()).transaction(name).objectStore(name).get(id)) as Promise<Stores[N] | undefined>;
}

/** Puts all of them or none. */
export async function put<N extends keyof Stores>(name: N, values: readonly Stores[N][]): Promise<void> {
  const transaction = (await database()).transaction(name, 'readwrite');
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error('the database failed'));
  });
  for (const value of values) transaction.objectStore(name).put(value);
  return done;
}

export async function remove(name: keyof Stores, id: string): Promise<void> {
  await result((await database()).transaction(name, 'readwrite').objectStore(name).delete(id));
}

export async function settings(): Promise<Settings> {
  return { ...DEFAULTS, ...(await one('settings', 'settings')) };
}
