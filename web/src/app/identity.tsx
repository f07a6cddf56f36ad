import { createContext, useCallback, useContext, useEffect, useRef, useState, type ReactNode } from "react";
import { get, post } from "../api/client";
import type { Me, Ways } from "../api/types";
import { Problem } from "../ui/notice";
import { Page } from "../ui/page";
import { SignIn } from "./sign_in";

type Identity = { me: Me; signOut: () => void };
const Context = createContext<Identity | null>(null);

/** Who asks. Where users must sign in, nothing else is shown before; a session that ends asks again in place. */
export function IdentityProvider({ children }: { children: ReactNode }) {
  const [me, setMe] = useState<Me | null>(null);
  const [ways, setWays] = useState<Ways | null>(null);
  const [expired, setExpired] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const known = useRef("");
  const signedIn = useCallback((who: Me) => {
    if (known.current && known.current !== who.id) location.assign("/"); // nothing of somebody else's stays in the page
    known.current = who.id;
    setMe(who);
    setExpired(false);
  }, []);
  const look = useCallback(
    () => get("/auth/me").then(signedIn, () => get("/auth/ways").then(setWays, setError)),
    [signedIn],
  );
  useEffect(() => {
    void look();
    const ended = () => {
      setExpired(true);
      void get("/auth/ways").then(setWays, () => undefined);
    };
    window.addEventListener("inquery:signed-out", ended);
    return () => window.removeEventListener("inquery:signed-out", ended);
  }, [look]);

  const retry = () => {
    setError(null);
    void look();
  };
  const signOut = () => void post("/auth/logout").finally(() => location.assign("/"));
  if (!me && error !== null)
    return (
      <Page as="main">
        <Problem error={error} onRetry={retry} />
      </Page>
    );
  if (!me) return ways ? <SignIn ways={ways} onSignedIn={signedIn} /> : null;
  return (
    <Context value={{ me, signOut }}>
      {children}
      {expired && ways && <SignIn ways={ways} expired onSignedIn={signedIn} />}
    </Context>
  );
}

export function useIdentity(): Identity {
  const found = useContext(Context);
  if (!found) throw new Error("nobody is signed in");
  return found;
}

/** Whether this user has a right; the server decides again on every request. */
export function useMay(): (right: string) => boolean {
  const { me } = useIdentity();
  return (right) => me.rights.includes(right);
}
