import type { ComponentProps, ElementType } from "react";
import { classes, dressed } from "./dressed";
import { Icon, type IconName } from "./icons";
import styles from "./button.module.css";

type Kind = "plain" | "primary" | "quiet" | "danger";

type Props = ComponentProps<"button"> & {
  kind?: Kind;
  icon?: IconName;
  busy?: boolean;
  wide?: boolean;
};

export function Button({ kind = "plain", icon, busy, wide, children, className, disabled, ...rest }: Props) {
  return (
    <button
      type="button"
      className={classes(styles.button, styles[kind], wide && styles.wide, className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy ? <Spinner /> : icon && <Icon name={icon} size={16} />}
      {children && <span>{children}</span>}
    </button>
  );
}

type LinkProps<Tag extends ElementType> = { as?: Tag; kind?: Kind; wide?: boolean; className?: string } & Omit<
  ComponentProps<Tag>,
  "as" | "className"
>;

/** An address that looks like a button. */
export function ButtonLink<Tag extends ElementType = "a">({
  as,
  kind = "plain",
  wide,
  className,
  ...rest
}: LinkProps<Tag>) {
  const Element: ElementType = as ?? "a";
  return <Element className={classes(styles.button, styles[kind], wide && styles.wide, className)} {...rest} />;
}

type IconProps = ComponentProps<"button"> & { icon: IconName; label: string; size?: number; on?: boolean };

/** A button whose name is told to those who cannot see its icon, and shown on hover to those who can. */
export function IconButton({ icon, label, size = 17, on, className, ...rest }: IconProps) {
  return (
    <button
      type="button"
      className={classes(styles.iconButton, on && styles.on, className)}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon name={icon} size={size} />
    </button>
  );
}

/** A button that is an icon and no `IconButton`: the head of a menu, an address. */
export const IconPlace = dressed("button", styles.iconButton);

/** The head of a menu that has words. */
export const PlainPlace = dressed("button", classes(styles.button, styles.plain));

/** A button that reads like a word of the text. */
export const LinkButton = dressed("button", styles.link, { small: styles.small });

/** A question or an answer to choose. */
export const Chip = dressed("button", styles.chip);

export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}
