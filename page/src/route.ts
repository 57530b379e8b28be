// Addresses: all that is shown follows from the part of the URL after #, so each view can be linked and Back works.
//
//   #/clusters?sort=documents&search=report     view "clusters"
//   #/cluster/12                                view "cluster", path ["12"]
//   #pairs-3                                    the old form, of links in the plain HTML

import { useEffect, useState } from 'preact/hooks';

export interface Route {
  view: string;
  path: string[];
  query: URLSearchParams;
  address: string; // without the query
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function routeOf(hash: string): Route {
  const place = hash.replace(/^#/, '');
  if (!place.startsWith('/')) {
    const path = place === '' ? [] : [decoded(place)];
    const view = /^pairs-\d+$/.test(place) ? 'pair' : 'overview';
    return { view, path, query: new URLSearchParams(), address: `/${view}/${path.join('/')}` };
  }
  const [address = '', query = ''] = place.split(/\?(.*)/s);
  const [view = '', ...path] = address.slice(1).split('/').filter((part) => part !== '').map(decoded);
  return { view: view || 'overview', path, query: new URLSearchParams(query), address: `/${[view || 'overview', ...path].join('/')}` };
}

export type Query = Record<string, string | number | boolean | undefined>;

// Half a character of UTF-16 has no place in an address.
const encoded = (part: string | number): string => encodeURIComponent(String(part).replace(/[\ud800-\udfff]/gu, '\ufffd'));

/** A link: to("cluster", [12]), to("clusters", [], { sort: "documents" }). */
export function to(view: string, path: (string | number)[] = [], query: Query = {}): string {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '' && value !== false) asked.set(name, value === true ? '1' : String(value));
  }
  const tail = asked.toString();
  return `#/${[view, ...path].map(encoded).join('/')}${tail && `?${tail}`}`;
}

export function go(link: string): void {
  location.hash = link;
}

const listeners = new Set<() => void>();

/** The same view with another query: no new entry of the history. */
export function replace(link: string): void {
  history.replaceState(history.state, '', link);
  for (const listener of listeners) listener();
}

// Where each place of the history was scrolled to. A place has a number of its own, kept with it.
const scrolled = new Map<number, number>();
let here = 0;
let last = 0;

function arrive(): void {
  const known = (history.state as { place?: unknown } | null)?.place;
  if (typeof known === 'number') {
    here = known;
    return;
  }
  here = ++last;
  history.replaceState({ place: here }, '');
}

/** Where this place was left; undefined: it is new. */
export function leftAt(): number | undefined {
  return scrolled.get(here);
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useEffect(() => {
    history.scrollRestoration = 'manual';
    last = Date.now();
    arrive();
    const read = (): void => setRoute(routeOf(location.hash));
    const moved = (): void => {
      arrive();
      read();
    };
    const scroll = (): void => {
      scrolled.set(here, window.scrollY);
    };
    listeners.add(read);
    window.addEventListener('hashchange', moved);
    window.addEventListener('scroll', scroll, { passive: true });
    return () => {
      listeners.delete(read);
      window.removeEventListener('hashchange', moved);
      window.removeEventListener('scroll', scroll);
    };
  }, []);
  return route;
}
