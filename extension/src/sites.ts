// Which hosts are one site. Two hosts are of one site if they have the same registered domain: the
// public suffix (com, co.uk, github.io) and one label before it. An IP address, localhost and a host
// that is a public suffix itself are sites of their own.

import { getDomain } from 'tldts';

/** The site of a host name; '' of none. */
export function siteOf(host: string): string {
  const name = host.toLowerCase().replace(/\.$/, '');
  return getDomain(name, { allowPrivateDomains: true }) ?? name;
}

/** The host of a URL or an origin; '' if it has none, as that of a file or an opaque origin. */
export function hostOf(url: string): string {
  try {
    const { protocol, hostname } = new URL(url);
    return protocol === 'http:' || protocol === 'https:' ? hostname : '';
  } catch {
    return '';
  }
}

/**
 * The host that a document belongs to. A document without an address of its own (about:srcdoc,
 * blob:) has the origin of the one that made it; a sandboxed one has none, and belongs to the
 * nearest document around it that has one.
 */
export function hostOfDocument(url: string | undefined, origin: string | undefined, around: readonly string[]): string {
  for (const candidate of [url ?? '', origin ?? '', ...around]) {
    const host = hostOf(candidate);
    if (host !== '') return host;
  }
  return '';
}

/** The address without what may be private in it: no query, no fragment, no user. */
export function placeOf(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return protocol === 'file:' ? 'file' : `${protocol}//${host}${pathname}`.slice(0, 500);
  } catch {
    return '';
  }
}
