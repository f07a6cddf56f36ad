import { useState } from "react";
import { get, post } from "../api/client";
import type { EngineField, EngineKind, Tried } from "../api/types";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { go } from "../app/route";
import { useWorld } from "../app/world";
import { useText } from "../i18n";
import { formatNumber } from "../i18n/format";
import { Button, LinkButton } from "../ui/button";
import { Field } from "../ui/field";
import { Check, Form, Pair } from "../ui/form";
import { Icon } from "../ui/icons";
import { notify, Problem, Success } from "../ui/notice";
import { Row } from "../ui/row";
import { Text } from "../ui/text";
import { addressOf, firstChoice, isFilled, linesOf, valueOf, type Typed } from "./engines";
import styles from "./connection_form.module.css";

type Privacy = "full" | "schema_only" | "local_only";

/** A database to add: by fields or by address, tried before it is kept. */
export function ConnectionForm() {
  const t = useText();
  const { language } = usePreferences();
  const world = useWorld();
  const [name, setName] = useState("");
  const engines = useLoad("engines", () => get("/engines"));
  const [scheme, setScheme] = useState<string | null>(null);
  const [typed, setTyped] = useState<Typed>({});
  const [address, setAddress] = useState<string | null>(null);
  const [privacy, setPrivacy] = useState<Privacy>("full");
  const [superuser, setSuperuser] = useState(false);
  const [busy, setBusy] = useState<"" | "test" | "add">("");
  const [tried, setTried] = useState<Tried | null>(null);
  const [error, setError] = useState<unknown>(null);
  const listed = engines.data ?? [];
  const engine = listed.find((each) => each.scheme === scheme) ?? firstChoice(listed);
  const composed = engine ? addressOf(engine, typed) : "";
  const url = (address ?? composed).trim();
  const ready = url !== "" && (address !== null || (!!engine?.installed && isFilled(engine, typed)));
  const type = (field: EngineField, value: string) => {
    setTyped({ ...typed, [field.name]: value });
    setTried(null);
  };
  const choose = (next: string) => {
    setTyped({ ...typed, port: undefined }); // a port is one engine's; the rest may be meant for the next as well
    setScheme(next);
    setTried(null);
  };

  const attempt = async (kind: "test" | "add", action: () => Promise<void>) => {
    setBusy(kind);
    setError(null);
    try {
      await action();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy("");
    }
  };
  const test = () =>
    attempt("test", async () =>
      setTried(await post("/connections/test", { body: { url, allow_superuser: superuser } })),
    );
  const add = () =>
    attempt("add", async () => {
      const options = privacy === "full" ? {} : { privacy };
      const made = await post("/connections", {
        body: { name: name.trim(), url, options, allow_superuser: superuser },
      });
      await world.reload.connections();
      world.chooseConnection(made.id);
      notify(t.connections.added(made.name));
      go(`/data/${encodeURIComponent(made.id)}`);
    });

  return (
    <Form
      carded
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <Field label={t.connections.name}>
        {(id) => (
          <input
            id={id}
            value={name}
            required
            maxLength={100}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {address === null ? (
        <>
          {engines.error && <Problem error={engines.error} onRetry={engines.reload} />}
          {engines.loading && <Text muted>{t.app.loading}</Text>}
          {engine && (
            <Field label={t.connections.engine}>
              {(id) => (
                <select id={id} value={engine.scheme} onChange={(event) => choose(event.target.value)}>
                  {listed.map((each) => (
                    <option key={each.scheme} value={each.scheme}>
                      {each.installed ? each.label[language] : t.connections.notInstalled(each.label[language])}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
          {engine?.installed && <EngineFields engine={engine} typed={typed} onType={type} />}
          {engine && !engine.installed && <MissingDriver engine={engine} />}
        </>
      ) : (
        <Field label={t.connections.address}>
          {(id) => (
            <input
              id={id}
              value={address}
              spellCheck={false}
              autoComplete="off"
              placeholder={engine?.example}
              onChange={(event) => setAddress(event.target.value)}
            />
          )}
        </Field>
      )}
      <LinkButton
        type="button"
        className={styles.startSelf}
        onClick={() => setAddress(address === null ? composed : null)}
      >
        {address === null ? t.connections.byAddress : t.connections.byFields}
      </LinkButton>
      <Field label={t.connections.privacy}>
        {(id) => (
          <select id={id} value={privacy} onChange={(event) => setPrivacy(event.target.value as Privacy)}>
            {(["full", "schema_only", "local_only"] as Privacy[]).map((each) => (
              <option key={each} value={each}>
                {t.connections.privacies[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Check>
        <input type="checkbox" checked={superuser} onChange={(event) => setSuperuser(event.target.checked)} />
        <span>{t.connections.superuser}</span>
      </Check>
      <Text muted small>
        {superuser ? t.connections.superuserHelp : t.connections.readOnly}
      </Text>
      {tried && (
        <Success role="status">
          <Icon name="check" />
          <div>
            <p>{t.connections.works(formatNumber(tried.tables, language), formatNumber(tried.columns, language))}</p>
            {tried.warnings.map((warning) => (
              <Text key={warning} muted>
                {warning}
              </Text>
            ))}
          </div>
        </Success>
      )}
      {error !== null && <Problem error={error} />}
      <Row end>
        <Button busy={busy === "test"} disabled={!ready || busy !== ""} onClick={test}>
          {busy === "test" ? t.connections.testing : t.connections.test}
        </Button>
        <Button kind="primary" type="submit" busy={busy === "add"} disabled={!ready || !name.trim() || busy !== ""}>
          {t.connections.addIt}
        </Button>
      </Row>
    </Form>
  );
}

function EngineFields({
  engine,
  typed,
  onType,
}: {
  engine: EngineKind;
  typed: Typed;
  onType: (field: EngineField, value: string) => void;
}) {
  const t = useText();
  const { language } = usePreferences();
  const input = (field: EngineField) => (
    <Field
      key={field.name}
      label={field.label[language]}
      help={field.name === "path" ? t.connections.pathHelp : undefined}
    >
      {(id) => (
        <input
          id={id}
          type={field.secret ? "password" : "text"}
          value={valueOf(field, typed)}
          required={field.required}
          autoComplete="off"
          onChange={(event) => onType(field, event.target.value)}
        />
      )}
    </Field>
  );
  return linesOf(engine.fields).map(([first, second]) =>
    second ? (
      <Pair key={first.name} even={second.name !== "port"}>
        {input(first)}
        {input(second)}
      </Pair>
    ) : (
      input(first)
    ),
  );
}

function MissingDriver({ engine }: { engine: EngineKind }) {
  const t = useText();
  const label = engine.label[usePreferences().language];
  return (
    <p role="status">
      {engine.extra ? t.connections.missingDriver(label, engine.extra) : t.connections.missingPlugin(label)}
    </p>
  );
}
