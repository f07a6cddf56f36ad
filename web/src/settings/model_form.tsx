import { useState } from "react";
import { get, post, put } from "../api/client";
import type { ModelContent, SavedModel, Tested } from "../api/types";
import { useLoad } from "../app/load";
import { useText } from "../i18n";
import { Button, Chip } from "../ui/button";
import { Labelled, Field, TextField } from "../ui/field";
import { Check, Form, Pair } from "../ui/form";
import { FormDialog } from "../ui/form_dialog";
import { Chips } from "../ui/lists";
import { useAttempt } from "../ui/notice";
import { Outcome } from "./model_outcome";

const NUMBERS = [
  "temperature",
  "max_tokens",
  "context_tokens",
  "timeout_s",
  "price_in",
  "price_out",
  "price_cached",
] as const;
type NumberName = (typeof NUMBERS)[number];
type Typed = Record<NumberName, string>;

const numbersOf = (content: Partial<ModelContent> | null): Typed =>
  Object.fromEntries(NUMBERS.map((name) => [name, String(content?.[name] ?? "")])) as Typed;

/** What was typed as numbers; what is empty is left to the server. */
function typedNumbers(typed: Typed): Partial<Record<NumberName, number>> {
  const filled = NUMBERS.flatMap((name) => (typed[name].trim() === "" ? [] : [[name, Number(typed[name])] as const]));
  return Object.fromEntries(filled);
}

type Props = { saved: SavedModel | null; onClose: () => void; onSaved: (name: string) => Promise<void> };

/** A model to keep: provider, address, key and prices. The key goes to the server and never comes back. */
export function ModelForm({ saved, onClose, onSaved }: Props) {
  const t = useText();
  const attempt = useAttempt();
  const known = useLoad("model providers", () => get("/models/providers"));
  const [name, setName] = useState(saved?.name ?? "");
  const [provider, setProvider] = useState(saved?.content?.provider ?? "openai");
  const [model, setModel] = useState(saved?.content?.model ?? "");
  const [address, setAddress] = useState(saved?.content?.base_url ?? "");
  const [key, setKey] = useState("");
  const [noKey, setNoKey] = useState(false);
  const [numbers, setNumbers] = useState(numbersOf(saved?.content ?? null));
  const [testing, setTesting] = useState(false);
  const [tested, setTested] = useState<Tested | null>(null);
  const listed = known.data?.providers ?? [];
  const moved =
    saved !== null && (saved.content?.provider !== provider || (saved.content?.base_url ?? "") !== address.trim());
  const keeps = saved?.has_key === true && !moved && !noKey;
  const usual = listed.find((each) => each.provider === provider)?.address ?? "";
  const place = { provider, model: model.trim(), base_url: address.trim() };

  const test = async () => {
    setTesting(true);
    setTested(null);
    await attempt(async () => setTested(await post("/model/test", { body: { ...place, api_key: key } })));
    setTesting(false);
  };
  const send = async () => {
    const given = key ? { api_key: key } : noKey ? { api_key: "" } : {};
    const content = { ...place, ...typedNumbers(numbers) };
    await put("/models/{name}", { path: { name: name.trim() }, body: { content, ...given } });
    await onSaved(name.trim());
  };
  const number = (field: NumberName) => (
    <TextField
      key={field}
      type="number"
      min={0}
      step="any"
      inputMode="decimal"
      label={t.models.numbers[field]}
      value={numbers[field]}
      onText={(value) => setNumbers({ ...numbers, [field]: value })}
    />
  );
  return (
    <FormDialog
      title={saved ? t.app.colon(t.app.edit) + saved.name : t.models.add}
      ready={name.trim() !== "" && model.trim() !== ""}
      onClose={onClose}
      onSend={send}
      aside={
        !keeps && (
          <Button icon="sparkle" busy={testing} disabled={!model.trim()} onClick={test}>
            {testing ? t.settings.testing : t.models.testFirst}
          </Button>
        )
      }
    >
      {!saved && (known.data?.local.length ?? 0) > 0 && (
        <Labelled label={t.models.found}>
          <Chips>
            {known.data!.local.flatMap((server) =>
              server.models.slice(0, 6).map((each) => (
                <Chip
                  key={`${server.address} ${each}`}
                  type="button"

                  onClick={() => {
                    setProvider(server.provider);
                    setAddress(server.address);
                    setModel(each);
                    setName(name || each.replaceAll(":", " "));
                  }}
                >
                  {each}
                </Chip>
              )),
            )}
          </Chips>
        </Labelled>
      )}
      <TextField
        label={t.connections.name}
        help={t.models.nameHelp}
        required
        maxLength={100}
        readOnly={saved !== null}
        value={name}
        onText={setName}
      />
      <Pair even>
        <Field label={t.settings.provider}>
          {(id) => (
            <select id={id} value={provider} onChange={(event) => setProvider(event.target.value)}>
              {!listed.some((each) => each.provider === provider) && <option value={provider}>{provider}</option>}
              {listed.map((each) => (
                <option key={each.provider} value={each.provider}>
                  {each.label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <TextField label={t.settings.model} required value={model} onText={setModel} />
      </Pair>
      <TextField
        label={t.connections.address}
        help={t.models.addressHelp}
        inputMode="url"
        spellCheck={false}
        placeholder={usual || "https://…/v1"}
        value={address}
        onText={setAddress}
      />
      <TextField
        label={t.settings.key}
        help={keeps ? t.models.keyKept : saved?.has_key && moved ? t.models.keyAgain : t.models.keyHelp}
        type="password"
        autoComplete="new-password"
        disabled={noKey}
        placeholder={keeps ? "••••••••" : ""}
        value={key}
        onText={setKey}
      />
      {saved?.has_key && (
        <Check>
          <input type="checkbox" checked={noKey} onChange={(event) => setNoKey(event.target.checked)} />
          <span>{t.models.forgetKey}</span>
        </Check>
      )}
      <details>
        <summary>{t.models.more}</summary>
        <Form as="div">
          <Pair even>{(["price_in", "price_out"] as const).map(number)}</Pair>
          <Pair even>{(["price_cached", "timeout_s"] as const).map(number)}</Pair>
          <Pair even>{(["max_tokens", "context_tokens"] as const).map(number)}</Pair>
          <Pair even>{number("temperature")}</Pair>
        </Form>
      </details>
      {tested && <Outcome tested={tested} />}
    </FormDialog>
  );
}
