import { useState } from "react";
import { post } from "../api/client";
import type { Tried } from "../api/types";
import { usePreferences } from "../app/preferences";
import { go } from "../app/route";
import { useWorld } from "../app/world";
import { useText } from "../i18n";
import { formatNumber } from "../i18n/format";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Icon } from "../ui/icons";
import { notify, Problem } from "../ui/notice";
import { addressOf, BLANK, ENGINES, type Fields } from "./engines";

type Privacy = "full" | "schema_only" | "local_only";

/** A database to add: by fields or by address, tried before it is kept. */
export function ConnectionForm() {
  const t = useText();
  const { language } = usePreferences();
  const world = useWorld();
  const [name, setName] = useState("");
  const [fields, setFields] = useState<Fields>(BLANK);
  const [address, setAddress] = useState<string | null>(null);
  const [privacy, setPrivacy] = useState<Privacy>("full");
  const [superuser, setSuperuser] = useState(false);
  const [busy, setBusy] = useState<"" | "test" | "add">("");
  const [tried, setTried] = useState<Tried | null>(null);
  const [error, setError] = useState<unknown>(null);
  const engine = ENGINES.find((each) => each.id === fields.engine)!;
  const url = (address ?? addressOf(fields)).trim();
  const change = (part: Partial<Fields>) => {
    setFields({ ...fields, ...part });
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

  const text = (label: string, key: keyof Fields, type = "text") => (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
          type={type}
          value={fields[key]}
          autoComplete="off"
          onChange={(event) => change({ [key]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <form
      className="form card"
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
          <Field label={t.connections.engine}>
            {(id) => (
              <select
                id={id}
                value={fields.engine}
                onChange={(event) =>
                  change({
                    engine: event.target.value,
                    port: ENGINES.find((each) => each.id === event.target.value)?.port ?? "",
                  })
                }
              >
                {ENGINES.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.label}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {engine.file ? (
            text(t.connections.path, "path")
          ) : (
            <>
              <div className="pair">
                {text(t.connections.host, "host")}
                {text(t.connections.port, "port")}
              </div>
              {text(t.connections.database, "database")}
              <div className="pair even">
                {text(t.connections.user, "user")}
                {text(t.connections.password, "password", "password")}
              </div>
            </>
          )}
        </>
      ) : (
        <Field label={t.connections.address}>
          {(id) => (
            <input
              id={id}
              value={address}
              spellCheck={false}
              autoComplete="off"
              placeholder="postgresql://reader:…@host:5432/shop"
              onChange={(event) => setAddress(event.target.value)}
            />
          )}
        </Field>
      )}
      <button
        type="button"
        className="link start-self"
        onClick={() => setAddress(address === null ? addressOf(fields) : null)}
      >
        {address === null ? t.connections.byAddress : t.connections.byFields}
      </button>
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
      <label className="check">
        <input type="checkbox" checked={superuser} onChange={(event) => setSuperuser(event.target.checked)} />
        <span>{t.connections.superuser}</span>
      </label>
      <p className="muted small">{superuser ? t.connections.superuserHelp : t.connections.readOnly}</p>
      {tried && (
        <div className="success" role="status">
          <Icon name="check" />
          <div>
            <p>{t.connections.works(formatNumber(tried.tables, language), formatNumber(tried.columns, language))}</p>
            {tried.warnings.map((warning) => (
              <p key={warning} className="muted">
                {warning}
              </p>
            ))}
          </div>
        </div>
      )}
      {error !== null && <Problem error={error} />}
      <div className="row end">
        <Button busy={busy === "test"} disabled={!url || busy !== ""} onClick={test}>
          {busy === "test" ? t.connections.testing : t.connections.test}
        </Button>
        <Button kind="primary" type="submit" busy={busy === "add"} disabled={!url || !name.trim() || busy !== ""}>
          {t.connections.addIt}
        </Button>
      </div>
    </form>
  );
}
