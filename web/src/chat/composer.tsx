import { useEffect, useImperativeHandle, useRef, useState, type KeyboardEvent, type Ref } from "react";
import type { Connection, Profile, SavedModel } from "../api/types";
import { useText } from "../i18n";
import { IconButton } from "../ui/button";
import { Select } from "../ui/field";
import { VisuallyHidden } from "../ui/text";
import { PlaceName } from "./place_name";
import styles from "./composer.module.css";

export type ComposerHandle = { fill: (text: string) => void; focus: () => void };

type Props = {
  ref?: Ref<ComposerHandle>;
  placeholder: string;
  running: boolean;
  last: string;
  connections: Connection[];
  connection: string;
  onConnection?: (id: string) => void;
  profiles: Profile[];
  analyst: string;
  onAnalyst: (id: string) => void;
  models: SavedModel[];
  model: string;
  onModel: (name: string) => void;
  onSend: (question: string) => void;
  onStop: () => void;
};

const LONGEST = 4000;

export function Composer({
  ref,
  placeholder,
  running,
  last,
  connections,
  connection,
  onConnection,
  profiles,
  analyst,
  onAnalyst,
  models,
  model,
  onModel,
  onSend,
  onStop,
}: Props) {
  const t = useText();
  const [text, setText] = useState("");
  const area = useRef<HTMLTextAreaElement>(null);

  useImperativeHandle(ref, () => ({
    fill: (words: string) => {
      setText(words);
      area.current?.focus();
    },
    focus: () => area.current?.focus(),
  }));

  useEffect(() => {
    if (!area.current) return;
    area.current.style.height = "auto";
    area.current.style.height = `${Math.min(area.current.scrollHeight, 220)}px`;
  }, [text]);

  const send = () => {
    if (!text.trim() || running) return;
    onSend(text.trim());
    setText("");
    // On a touch screen the keyboard would stay open over the answer.
    if (matchMedia("(hover: none)").matches) area.current?.blur();
  };

  const typed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return; // Enter chooses a Chinese candidate here
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    }
    if (event.key === "ArrowUp" && !text && last) {
      event.preventDefault();
      setText(last);
    }
    if (event.key === "Escape" && running) onStop();
  };

  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <VisuallyHidden as="label" htmlFor="question">
        {placeholder}
      </VisuallyHidden>
      <textarea
        id="question"
        ref={area}
        rows={1}
        value={text}
        maxLength={LONGEST}
        placeholder={placeholder}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={typed}
        enterKeyHint="send"
        autoComplete="off"
      />
      <div className={styles.composerFoot}>
        {!onConnection && connections.length > 0 && <PlaceName id={connection} />}
        {onConnection && connections.length > 0 && (
          <Select
            hidden
            label={t.chat.database}
            value={connection}
            onChange={onConnection}
            choices={[
              ...(connections.length > 1 ? [{ value: "auto", label: t.chat.autoDatabase }] : []),
              ...connections.map((each) => ({ value: each.id, label: each.name })),
            ]}
          />
        )}
        {profiles.length > 0 && (
          <Select
            hidden
            label={t.chat.analyst}
            value={analyst}
            onChange={onAnalyst}
            choices={[
              { value: "", label: t.chat.noAnalyst },
              ...profiles.map((each) => ({ value: each.id, label: each.name })),
            ]}
          />
        )}
        {models.length > 0 && (
          <Select
            hidden
            label={t.settings.model}
            value={model}
            onChange={onModel}
            choices={[
              { value: "", label: t.models.usual },
              { value: "embedded", label: t.models.embedded },
              ...models.map((each) => ({ value: each.name, label: each.name })),
            ]}
          />
        )}
        <span className={styles.hint}>{t.chat.hint}</span>
        {running ? (
          <IconButton className={styles.send} icon="stop" label={t.chat.stop} onClick={onStop} />
        ) : (
          <IconButton className={styles.send} type="submit" icon="send" label={t.chat.send} disabled={!text.trim()} />
        )}
      </div>
    </form>
  );
}
