import { useEffect } from "react";
import { get } from "../api/client";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";

const LOOK_MS = 1500;

/** What is in a database, with questions that were tried on it; asked again while they are being tried. */
export function useProfile(connection: string | null) {
  const { language } = usePreferences();
  const profile = useLoad(connection && `profile ${connection} ${language}`, () =>
    get("/connections/{connection_id}/profile", { path: { connection_id: connection! }, query: { language } }),
  );
  const { reload } = profile;
  const working = profile.data?.status === "working";
  useEffect(() => {
    if (!working) return;
    const timer = setInterval(() => void reload(), LOOK_MS);
    return () => clearInterval(timer);
  }, [working, reload]);
  return profile;
}
