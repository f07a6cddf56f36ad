import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from "react";
import { get, post, remove } from "../api/client";
import type { Connection, Profile, Saved, SavedModel, Thread } from "../api/types";
import { useLoad } from "./load";
import { prefer, usePreferences } from "./preferences";

/** What every area needs: the databases, the analysts, the conversations and the kept questions of this user. */
type World = {
  connections: Connection[];
  profiles: Profile[];
  threads: Thread[];
  saved: Saved[];
  /** Models that a question may name, beside the one that ships. */
  models: SavedModel[];
  /** Keeps a question, or forgets it where it is kept. */
  toggleSaved: (question: string, connection: string) => Promise<void>;
  connection: string;
  chooseConnection: (id: string) => void;
  error: Error | undefined;
  ready: boolean;
  reload: {
    connections: () => Promise<void>;
    profiles: () => Promise<void>;
    threads: () => Promise<void>;
    saved: () => Promise<void>;
    models: () => Promise<void>;
  };
};

const MOST_THREADS = 200;
const NONE: never[] = [];
const Context = createContext<World | null>(null);

export function WorldProvider({ children }: { children: ReactNode }) {
  const connections = useLoad("connections", () => get("/connections"));
  const profiles = useLoad("profiles", () => get("/profiles"));
  const threads = useLoad("threads", () => get("/threads", { query: { limit: MOST_THREADS } }));
  const saved = useLoad("saved", () => get("/saved"));
  const models = useLoad("models", () => get("/models"));
  const [reloadConnections, reloadProfiles] = [connections.reload, profiles.reload];
  const [reloadThreads, reloadSaved, reloadModels] = [threads.reload, saved.reload, models.reload];
  const preferred = usePreferences().connection;
  const [visible, setVisible] = useState(0);

  // Another tab, or another device, may have asked meanwhile.
  useEffect(() => {
    const back = () => document.visibilityState === "visible" && setVisible((count) => count + 1);
    document.addEventListener("visibilitychange", back);
    return () => document.removeEventListener("visibilitychange", back);
  }, []);
  useEffect(() => {
    if (visible) void reloadThreads();
  }, [visible, reloadThreads]);

  const known = connections.data ?? NONE;
  // A question may be sent before the databases are known: it is meant for the one that was chosen last.
  const stands = preferred === "auto" || !connections.data || known.some((each) => each.id === preferred);
  const connection = stands ? preferred : (known[0]?.id ?? "");
  const chooseConnection = useCallback((id: string) => prefer({ connection: id }), []);
  const kept = saved.data;
  const toggleSaved = useCallback(
    async (question: string, place: string) => {
      const found = kept?.find((each) => each.mine && each.question === question);
      await (found
        ? remove("/saved/{saved_id}", { path: { saved_id: found.id } })
        : post("/saved", {
            body: { question, title: "", connection_id: place || null, pinned: false, shared: false },
          }));
      await reloadSaved();
    },
    [kept, reloadSaved],
  );
  const world = useMemo<World>(
    () => ({
      connections: known,
      profiles: profiles.data ?? NONE,
      threads: threads.data ?? NONE,
      saved: kept ?? NONE,
      models: models.data ?? NONE,
      toggleSaved,
      connection,
      chooseConnection,
      error: connections.error,
      ready: connections.data !== undefined,
      reload: {
        connections: reloadConnections,
        profiles: reloadProfiles,
        threads: reloadThreads,
        saved: reloadSaved,
        models: reloadModels,
      },
    }),
    [
      known,
      connections.data,
      connections.error,
      profiles.data,
      threads.data,
      kept,
      models.data,
      toggleSaved,
      connection,
      chooseConnection,
      reloadConnections,
      reloadProfiles,
      reloadThreads,
      reloadSaved,
      reloadModels,
    ],
  );
  return <Context value={world}>{children}</Context>;
}

/** Whether this user may take rows of a database away as files; the server decides again at every download. */
export function useMayDownload(connection: string): boolean {
  return useWorld().connections.find((each) => each.id === connection)?.downloads ?? true;
}

export function useWorld(): World {
  const found = useContext(Context);
  if (!found) throw new Error("outside of the world");
  return found;
}
