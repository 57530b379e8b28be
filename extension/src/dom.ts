// What the extension's own pages share. Text of other pages reaches them as text alone.

import type { Ask } from './messages';

export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`no ${id}`);
  return found;
}

export function element<K extends keyof HTMLElementTagNameMap>(name: K, properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Words whose character references are not decoded yet, as text. The parser's document runs and loads nothing. */
export function textOf(words: string): string {
  return new DOMParser().parseFromString(words.replace(/</g, '&lt;'), 'text/html').documentElement.textContent ?? '';
}

export async function ask<T>(message: Ask): Promise<T> {
  return (await chrome.runtime.sendMessage(message)) as T;
}

export const day = (time: number) => new Date(time).toLocaleDateString(undefined, { dateStyle: 'medium' });
export const count = (n: number, one: string, many: string) => (n === 1 ? `1 ${one}` : `${n.toLocaleString('en')} ${many}`);
