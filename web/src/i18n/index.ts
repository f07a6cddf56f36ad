import { usePreferences, type Language } from "../app/preferences";
import { en, type Messages } from "./en";
import { zh } from "./zh";

export const CATALOGUES: Record<Language, Messages> = { en, zh };

/** The texts in the reader's language. */
export function useText(): Messages {
  return CATALOGUES[usePreferences().language];
}
