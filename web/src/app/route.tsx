import { useEffect, useSyncExternalStore, type AnchorHTMLAttributes, type MouseEvent } from "react";

const CHANGED = "inquery:route";

/** `ask` is a question to be asked on arrival: a link from outside cannot carry one. */
export function go(path: string, { replace = false, ask = "" } = {}): void {
  const state = ask ? { ask } : null;
  if (replace) history.replaceState(state, "", path);
  else history.pushState(state, "", path);
  window.dispatchEvent(new Event(CHANGED));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("popstate", listener);
  window.addEventListener(CHANGED, listener);
  return () => {
    window.removeEventListener("popstate", listener);
    window.removeEventListener(CHANGED, listener);
  };
}

/** The question this page was opened with; given once. */
export function questionToAsk(): string {
  const { ask = "" } = (history.state ?? {}) as { ask?: string };
  if (ask) history.replaceState(null, "");
  return ask;
}

/** The parts of the path: /data/demo is ["data", "demo"]. */
export function useRoute(): string[] {
  const path = useSyncExternalStore(subscribe, () => location.pathname);
  return path.split("/").filter(Boolean).map(decoded);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function Link({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0;
    if (event.defaultPrevented || elsewhere) return;
    event.preventDefault();
    go(href);
  };
  return <a href={href} onClick={follow} {...rest} />;
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Inquery` : "Inquery";
  }, [title]);
}
