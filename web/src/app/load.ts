import { useCallback, useEffect, useRef, useState } from "react";

export type Loaded<T> = {
  data: T | undefined;
  error: Error | undefined;
  loading: boolean;
  reload: () => Promise<void>;
  set: (data: T) => void;
};

/** Loads what the key names, again when it changes; a late answer to an old key is dropped. */
export function useLoad<T>(key: string | null, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string | null; data?: T; error?: Error }>({ key: null });
  const loader = useRef(load);
  loader.current = load;
  const wanted = useRef(key);
  wanted.current = key;

  const reload = useCallback(async () => {
    const asked = wanted.current;
    if (asked === null) return;
    try {
      const data = await loader.current();
      if (wanted.current === asked) setState({ key: asked, data });
    } catch (error) {
      if (wanted.current === asked)
        setState((last) => ({ key: asked, data: last.key === asked ? last.data : undefined, error: error as Error }));
    }
  }, []);

  useEffect(() => {
    void reload();
  }, [key, reload]);

  const set = useCallback((data: T) => setState({ key: wanted.current, data }), []);
  const fresh = state.key === key;
  return {
    data: fresh ? state.data : undefined,
    error: fresh ? state.error : undefined,
    loading: key !== null && !fresh,
    reload,
    set,
  };
}
