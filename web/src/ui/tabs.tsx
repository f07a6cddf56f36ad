import { useId, useRef, type KeyboardEvent, type ReactNode } from "react";
import { Icon, type IconName } from "./icons";
import styles from "./tabs.module.css";

export type Tab<Name extends string> = { name: Name; label: string; icon?: IconName; content: () => ReactNode };
type Props<Name extends string> = {
  label: string;
  tabs: Tab<Name>[];
  value: Name;
  onChange: (name: Name) => void;
  aside?: ReactNode;
  /** On a card they keep away from its edge. */
  onCard?: boolean;
};

/** Tabs after the ARIA pattern: one stop for the Tab key, arrows, Home and End to move among them. */
export function Tabs<Name extends string>({ label, tabs, value, onChange, aside, onCard = false }: Props<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const shown = tabs.find((tab) => tab.name === value) ?? tabs[0];
  const walk = (event: KeyboardEvent) => {
    if (!shown) return;
    const here = tabs.indexOf(shown);
    const places: Record<string, number> = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: -1 };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    const next = tabs.at(place % tabs.length)!;
    onChange(next.name);
    list.current?.querySelector<HTMLElement>(`[data-name="${next.name}"]`)?.focus();
  };
  return (
    <div className={onCard ? styles.onCard : undefined}>
      <div className={styles.head}>
        <div role="tablist" className={styles.list} aria-label={label} ref={list} onKeyDown={walk}>
          {tabs.map((tab) => (
            <button
              key={tab.name}
              type="button"
              role="tab"
              className={styles.tab}
              data-name={tab.name}
              id={`${id}-${tab.name}`}
              aria-selected={tab === shown}
              aria-controls={`${id}-panel`}
              tabIndex={tab === shown ? 0 : -1}
              onClick={() => onChange(tab.name)}
            >
              {tab.icon && <Icon name={tab.icon} size={15} />}
              <span>{tab.label}</span>
            </button>
          ))}
        </div>
        {aside}
      </div>
      {shown && (
        <div
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-${shown.name}`}
          className={styles.panel}
          tabIndex={-1}
        >
          {shown.content()}
        </div>
      )}
    </div>
  );
}

/** The panel of a card that has nothing to choose between. */
export function CardPanel({ children }: { children: ReactNode }) {
  return (
    <div className={styles.onCard}>
      <div className={styles.panel}>{children}</div>
    </div>
  );
}
