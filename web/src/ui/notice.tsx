import { useCallback, useSyncExternalStore, type ReactNode } from "react";
import { ApiError, Unreachable } from "../api/client";
import { useText } from "../i18n";
import { Row } from "./row";
import { Text } from "./text";
import { Button, IconButton } from "./button";
import { Icon } from "./icons";
import { dressed } from "./dressed";
import styles from "./notice.module.css";

type Told = { id: number; kind: string; text: string };
let told: Told[] = [];
let count = 0;
const listeners = new Set<() => void>();
const change = (next: Told[]) => {
  told = next;
  listeners.forEach((listener) => listener());
};

const STAYS_MS = 5000;

/** Says something in the corner for a while, in place of what it says of the same thing; else of the same words. */
export function notify(text: string, kind = text): void {
  const id = (count += 1);
  change([...told.filter((each) => each.kind !== kind), { id, kind, text }]);
  setTimeout(() => change(told.filter((each) => each.id !== id)), STAYS_MS);
}

/** Takes back what was said of something: it is no longer true. */
export function withdraw(kind: string): void {
  if (told.some((each) => each.kind === kind)) change(told.filter((each) => each.kind !== kind));
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const toldNow = () => told;

export function Notices() {
  const t = useText();
  const shown = useSyncExternalStore(subscribe, toldNow, toldNow);
  return (
    <div className={styles.notices} role="status" aria-live="polite">
      {shown.map((each) => (
        <div key={each.id} className={styles.notice}>
          <span>{each.text}</span>
          <IconButton
            icon="close"
            label={t.app.close}
            size={14}
            onClick={() => change(told.filter((other) => other.id !== each.id))}
          />
        </div>
      ))}
    </div>
  );
}

/** The sentence of an error, and what can be done about it. */
export function useExplained(): (error: unknown) => { message: string; next: string } {
  const t = useText();
  return useCallback(
    (error) => {
      if (error instanceof Unreachable) return { message: t.errors.unreachable, next: t.errors.unreachableNext };
      if (error instanceof ApiError) return { message: error.message, next: t.errors.next[error.code] ?? "" };
      return { message: t.errors.unknown, next: "" };
    },
    [t],
  );
}

export function Problem({ error, onRetry, children }: { error: unknown; onRetry?: () => void; children?: ReactNode }) {
  const t = useText();
  const { message, next } = useExplained()(error);
  return (
    <div className={styles.problem} role="alert">
      <Icon name="alert" />
      <div>
        <p>{message}</p>
        {next && <Text muted>{next}</Text>}
        {(onRetry || children) && (
          <Row className={styles.next}>
            {onRetry && (
              <Button icon="retry" onClick={onRetry}>
                {t.app.retry}
              </Button>
            )}
            {children}
          </Row>
        )}
      </div>
    </div>
  );
}

/** What went well, said where it was done. */
export const Success = dressed("div", styles.success);

/** Runs an action and says its error in the corner. */
export function useAttempt(): (action: () => Promise<unknown>) => Promise<boolean> {
  const explained = useExplained();
  return useCallback(
    async (action) => {
      try {
        await action();
        return true;
      } catch (error) {
        notify(explained(error).message);
        return false;
      }
    },
    [explained],
  );
}
