import { useId, type InputHTMLAttributes, type ReactNode } from "react";
import { VisuallyHidden } from "./text";
import styles from "./field.module.css";

/** A labelled control; the child takes the id it is given. */
export function Field({
  label,
  help,
  children,
}: {
  label: string;
  help?: string;
  children: (id: string) => ReactNode;
}) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {help && <small>{help}</small>}
    </div>
  );
}

/** What has no one control to point at: its words stand above it all the same. */
export function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <span className={styles.label}>{label}</span>
      {children}
    </div>
  );
}

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange"> & {
  label: string;
  help?: string;
  value: string;
  onText: (value: string) => void;
};

/** A labelled line of text. */
export function TextField({ label, help, value, onText, ...rest }: InputProps) {
  return (
    <Field label={label} help={help}>
      {(id) => (
        <input id={id} autoComplete="off" value={value} onChange={(event) => onText(event.target.value)} {...rest} />
      )}
    </Field>
  );
}

/** A short text beside its label, as it stands among the choices of a toolbar. */
export function ShortField({ label, value, onText, ...rest }: InputProps) {
  const id = useId();
  return (
    <span className={styles.select}>
      <label htmlFor={id}>{label}</label>
      <input id={id} autoComplete="off" value={value} onChange={(event) => onText(event.target.value)} {...rest} />
    </span>
  );
}

export function Select<Value extends string>({
  label,
  value,
  choices,
  onChange,
  hidden = false,
}: {
  label: string;
  value: Value;
  choices: { value: Value; label: string }[];
  onChange: (value: Value) => void;
  hidden?: boolean;
}) {
  const id = useId();
  return (
    <span className={styles.select}>
      {hidden ? (
        <VisuallyHidden as="label" htmlFor={id}>
          {label}
        </VisuallyHidden>
      ) : (
        <label htmlFor={id}>{label}</label>
      )}
      <select id={id} value={value} onChange={(event) => onChange(event.target.value as Value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </span>
  );
}
