import { useId, type ReactNode } from "react";

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
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {help && <small>{help}</small>}
    </div>
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
    <span className="select">
      <label htmlFor={id} className={hidden ? "visually-hidden" : ""}>
        {label}
      </label>
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
