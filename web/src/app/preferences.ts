import { useSyncExternalStore } from "react";

export type Language = "en" | "zh";
export type Theme = "system" | "light" | "dark";
type Preferences = { language: Language; theme: Theme; connection: string; analyst: string; model: string };

const KEY = "inquery";
const listeners = new Set<() => void>();
let current = stored();

function stored(): Preferences {
  const language: Language = navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
  const fresh: Preferences = { language, theme: "system", connection: "", analyst: "", model: "" };
  try {
    return { ...fresh, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Preferences>) };
  } catch {
    return fresh; // storage is closed to us, or holds something else
  }
}

/** Puts the choices where CSS and screen readers look for them. */
export function apply(): void {
  document.documentElement.lang = current.language === "zh" ? "zh-CN" : "en";
  if (current.theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = current.theme;
}

export function prefer(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // kept for this page only
  }
  apply();
  listeners.forEach((listener) => listener());
}

export const language = (): Language => current.language;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => current,
  );
}
