import type { ComponentProps } from "react";
import { Icon, type IconName } from "./icons";

type Props = ComponentProps<"button"> & {
  kind?: "plain" | "primary" | "quiet" | "danger";
  icon?: IconName;
  busy?: boolean;
};

export function Button({ kind = "plain", icon, busy, children, className = "", disabled, ...rest }: Props) {
  return (
    <button
      type="button"
      className={`button ${kind} ${className}`}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} size={16} />}
      {children && <span>{children}</span>}
    </button>
  );
}

type IconProps = ComponentProps<"button"> & { icon: IconName; label: string; size?: number };

/** A button whose name is told to those who cannot see its icon, and shown on hover to those who can. */
export function IconButton({ icon, label, size = 17, className = "", ...rest }: IconProps) {
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...rest}>
      <Icon name={icon} size={size} />
    </button>
  );
}
