import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { Icon, type IconName } from "./icons";
import { IconPlace, PlainPlace } from "./button";
import styles from "./menu.module.css";

export type MenuItem = { label: string; icon?: IconName; danger?: boolean; onSelect: () => void };

/** A button with a list of actions; arrow keys, Home and End walk it, Escape and clicks elsewhere close it. */
export function Menu({
  label,
  items,
  children,
  plain = false,
  className,
  tabIndex,
}: {
  label: string;
  items: MenuItem[];
  children: ReactNode;
  /** A button with words; else it is an icon. */
  plain?: boolean;
  /** Or a look of its own. */
  className?: string;
  tabIndex?: number;
}) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();

  useEffect(() => {
    if (!open) return;
    root.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const leave = (event: PointerEvent) => !root.current?.contains(event.target as Node) && setOpen(false);
    document.addEventListener("pointerdown", leave);
    return () => document.removeEventListener("pointerdown", leave);
  }, [open]);

  const walk = (event: KeyboardEvent) => {
    if (event.key === "Escape" || event.key === "Tab") {
      if (event.key === "Escape") event.stopPropagation();
      setOpen(false);
      button.current?.focus();
      return;
    }
    const all = [...(root.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const here = all.indexOf(document.activeElement as HTMLElement);
    const places: Record<string, number> = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: -1 };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    all.at(place % all.length)?.focus();
  };

  const Head = className ? "button" : plain ? PlainPlace : IconPlace;
  return (
    <div className={styles.menu} ref={root}>
      <Head
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        tabIndex={tabIndex}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {children}
      </Head>
      {open && (
        <div className={styles.list} role="menu" id={id} aria-label={label} onKeyDown={walk}>
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={item.danger ? styles.danger : undefined}
              onClick={() => {
                setOpen(false);
                button.current?.focus();
                item.onSelect();
              }}
            >
              {item.icon && <Icon name={item.icon} size={16} />}
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
