import { useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";

export type Loaded<T> = {
  data: T | undefined;
  error: Error | undefined;
  loading: boolean;
  reload: () => Promise<void>;
  set: (data: T) => void;
};

type Entry = { data?: unknown; error?: Error };

const MOST = 150;
const NOTHING: Entry = {};
const entries = new Map<string, Entry>();
const asked = new Map<string, Promise<void>>();
const watched = new Map<string, number>();
const listeners = new Set<() => void>();

function keep(key: string, entry: Entry): void {
  entries.delete(key); // so that the last kept comes last
  entries.set(key, entry);
  for (const old of [...entries.keys()].slice(0, Math.max(0, entries.size - MOST)))
    if (!watched.get(old)) entries.delete(old);
  listeners.forEach((listener) => listener());
}

/** Asks for what a key names; of two answers to it the one that was asked for later counts. */
function ask(key: string, load: () => Promise<unknown>): Promise<void> {
  const going: Promise<void> = load()
    .then(
      (data): Entry => ({ data }),
      (error: unknown): Entry => ({ data: entries.get(key)?.data, error: error as Error }),
    )
    .then((entry) => {
      if (asked.get(key) !== going) return;
      asked.delete(key);
      keep(key, entry);
    });
  asked.set(key, going);
  return going;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * What the key names, the same for everyone who asks for it: what was there before is shown at once, and asked for again
 * whenever a part of the page appears that needs it.
 */
export function useLoad<T>(key: string | null, load: () => Promise<T>): Loaded<T> {
  const loader = useRef(load);
  useLayoutEffect(() => {
    loader.current = load;
  });
  const entry = useSyncExternalStore(subscribe, () => (key === null ? NOTHING : (entries.get(key) ?? NOTHING)));
  const reload = useCallback(async () => {
    if (key !== null) await ask(key, () => loader.current());
  }, [key]);
  useEffect(() => {
    if (key === null) return;
    watched.set(key, (watched.get(key) ?? 0) + 1);
    if (!asked.has(key)) void ask(key, () => loader.current());
    return () => void watched.set(key, (watched.get(key) ?? 1) - 1);
  }, [key]);
  const set = useCallback((data: T) => key !== null && keep(key, { data }), [key]);
  return {
    data: entry.data as T | undefined,
    error: entry.error,
    loading: key !== null && entry === NOTHING,
    reload,
    set,
  };
}
