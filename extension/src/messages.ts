// What the parts of the extension say to each other. Pages hear and say none of it: content scripts
// speak to the worker over ports of the browser, and only the extension's own pages ask.

/** Why a document is read. */
export type Why = 'look' | 'password' | 'remember';

/** Why a document was not checked as a whole. */
export type GaveUp = 'large' | 'slow' | 'changing' | 'busy' | 'failed' | 'damaged';

/** From a content script, over the port of one reading. */
export type FromPage =
  | { kind: 'begin'; why: Why; around: string[]; title: string }
  | { kind: 'piece'; html: string }
  | { kind: 'end'; gaveUp: GaveUp | undefined; passwords: number; cost: Cost };

/** To it. `go` false: nothing is remembered, so there is nothing to compare. */
export type ToPage = { kind: 'go'; go: boolean } | { kind: 'done'; result: Result };

/** `again`: too much was to be judged at once, so the document is read once more. */
export type Result = 'fine' | 'blocked' | 'again';

/** What a reading cost the page's thread. */
export interface Cost {
  nodes: number;
  characters: number;
  slices: number;
  /** Milliseconds. */
  total: number;
  longest: number;
}

/** To all content scripts of a tab. */
export type ToTab = { kind: 'remember' } | { kind: 'leaving' };

/** From the extension's pages and content scripts, answered once. */
export type Ask =
  | { kind: 'password left' }
  | { kind: 'state'; tab: number }
  | { kind: 'remember'; tab: number }
  | { kind: 'answer first use'; tab: number; remember: boolean }
  | { kind: 'warning'; id: string }
  | { kind: 'go back'; id: string }
  | { kind: 'go on'; id: string }
  | { kind: 'changed' };

/** What the popup shows of a tab. */
export interface TabState {
  /** The host of the page; '' before one was read. */
  host: string;
  site: string;
  /** How many readings ended. */
  readings: number;
  /** The last reading of some document of the tab that was not read to its end. */
  gaveUp?: GaveUp;
  /** Of the last reading of the top document. */
  cost?: Cost;
  /** Milliseconds that the worker took for it. */
  took?: number;
  /** True if a page of this site is remembered. */
  known: boolean;
  /** How many pages and lists there are to compare with. */
  compared: number;
  /** The site of the form in which a password was typed, if its page may be remembered. */
  offered?: string;
}

/** One part of a page, for the warning: `html` is shown as text alone. */
export interface Part {
  html: string;
  /** Found on the other page, too. */
  same: boolean;
}

/** Why a tab was blocked. */
export interface Warning {
  id: string;
  tab: number;
  kind: 'imitation' | 'unchecked';
  url: string;
  host: string;
  site: string;
  /** Of an imitation. */
  knownSite: string;
  knownTitle: string;
  knownAt: number;
  fromList: boolean;
  /** Parts of the known page that stand on the blocked one, and all of it. */
  matched: number;
  of: number;
  known: Part[];
  here: Part[];
  gaveUp?: GaveUp;
}
