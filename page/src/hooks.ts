// What several views need: answers that arrive later, widths, decisions.

import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { ReportFacts } from './facts';
import type { Decisions } from './decisions';
import type { About, Source } from './source';

export interface App {
  source: Source;
  about: About;
  facts: ReportFacts;
  decisions: Decisions;
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error('no application around this view');
  return app;
}

export function useDecisions(): Decisions {
  const { decisions } = useApp();
  const [, changed] = useReducer((n: number, _: void) => n + 1, 0);
  useEffect(() => decisions.subscribe(() => changed()), [decisions]);
  return decisions;
}

export interface Later<T> {
  value: T | undefined;
  error: Error | undefined;
  waiting: boolean;
  retry: () => void;
}

/** Asks again when `key` changes; the last value stays until the next one is there. An answer that comes too late is left. */
export function useLater<T>(key: string, ask: (signal: AbortSignal) => Promise<T>): Later<T> {
  const [state, setState] = useState<{ key: string; value: T | undefined; error: Error | undefined }>({ key: '', value: undefined, error: undefined });
  const [again, retry] = useReducer((n: number, _: void) => n + 1, 0);
  const asked = `${again} ${key}`;
  useEffect(() => {
    const stop = new AbortController();
    ask(stop.signal).then(
      (value) => {
        if (!stop.signal.aborted) setState({ key: asked, value, error: undefined });
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setState({ key: asked, value: undefined, error: error instanceof Error ? error : new Error(String(error)) });
      });
    return () => stop.abort();
  }, [asked]);
  return { value: state.value, error: state.key === asked ? state.error : undefined, waiting: state.key !== asked, retry: () => retry() };
}

/** The width of an element in pixels, as it changes; 0 before it is known. */
export function useWidth<E extends HTMLElement>(): [RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const at = element.current;
    if (!at) return undefined;
    const measure = (): void => setWidth(Math.floor(at.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(at);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}

/** A function that runs when no call came for so many milliseconds. */
export function useDelayed(milliseconds: number, run: () => void): () => void {
  const timer = useRef(0);
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return useCallback(() => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => latest.current(), milliseconds);
  }, [milliseconds]);
}
