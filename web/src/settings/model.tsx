import { useState } from "react";
import { get, post } from "../api/client";
import type { Tested, TryModel } from "../api/types";
import { useMay } from "../app/identity";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatSeconds } from "../i18n/format";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Icon } from "../ui/icons";
import { Problem, useAttempt } from "../ui/notice";

const PROVIDERS = ["embedded", "openai", "anthropic", "ollama"];

/** Which model writes SQL, a test of it or of another, and the settings that would make it the one. */
export function Model() {
  const t = useText();
  const may = useMay();
  const info = useLoad("model", () => get("/model"));
  if (info.error) return <Problem error={info.error} onRetry={info.reload} />;
  if (!info.data) return <p className="muted">{t.app.loading}</p>;
  const found = info.data;
  return (
    <div className="stack">
      <section className="card status-card">
        <span className={`badge ${found.ready ? "good" : "bad"}`}>
          {found.ready ? t.settings.ok : t.settings.notReady}
        </span>
        <h2>{found.name}</h2>
        {found.reason && <p className="muted">{found.reason}</p>}
        <dl className="facts">
          <div>
            <dt>{t.settings.provider}</dt>
            <dd>{found.provider}</dd>
          </div>
          {found.base_url && (
            <div>
              <dt>{t.connections.address}</dt>
              <dd>{found.base_url}</dd>
            </div>
          )}
          <div>
            <dt>{t.connections.privacy}</dt>
            <dd>{t.connections.privacies[found.privacy as "full"] ?? found.privacy}</dd>
          </div>
        </dl>
        {may("operate") && <TestButton body={{}} label={t.settings.test} />}
      </section>
      {may("operate") && <Another />}
    </div>
  );
}

function TestButton({ body, label }: { body: TryModel; label: string }) {
  const t = useText();
  const { language } = usePreferences();
  const attempt = useAttempt();
  const [busy, setBusy] = useState(false);
  const [tested, setTested] = useState<Tested | null>(null);
  const test = async () => {
    setBusy(true);
    setTested(null);
    await attempt(async () => setTested(await post("/model/test", { body })));
    setBusy(false);
  };
  return (
    <div className="row">
      <Button busy={busy} icon="sparkle" onClick={test}>
        {busy ? t.settings.testing : label}
      </Button>
      {tested && (
        <span role="status" className={tested.ok ? "good-text" : "bad-text"}>
          <Icon name={tested.ok ? "check" : "alert"} size={16} />{" "}
          {tested.ok ? t.settings.tested(formatSeconds(tested.ms, language)) : tested.message}
        </span>
      )}
    </div>
  );
}

/** Another model, tried from here; it is set in the server's own settings, so that no key is kept by a page. */
function Another() {
  const t = useText();
  const [provider, setProvider] = useState("openai");
  const [model, setModel] = useState("");
  const [address, setAddress] = useState("");
  const [key, setKey] = useState("");
  const body = { provider, model, ...(address && { base_url: address }), ...(key && { api_key: key }) };
  const lines = [
    `INQUERY_LLM__PROVIDER=${provider}`,
    model && `INQUERY_LLM__MODEL=${model}`,
    address && `INQUERY_LLM__BASE_URL=${address}`,
    key && "INQUERY_LLM__API_KEY=…",
  ].filter(Boolean);
  return (
    <section>
      <h2>{t.settings.another}</h2>
      <form className="form" onSubmit={(event) => event.preventDefault()}>
        <div className="pair even">
          <Field label={t.settings.provider}>
            {(id) => (
              <select id={id} value={provider} onChange={(event) => setProvider(event.target.value)}>
                {PROVIDERS.map((each) => (
                  <option key={each} value={each}>
                    {each === "openai" ? t.settings.compatible : each}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={t.settings.model}>
            {(id) => (
              <input id={id} value={model} autoComplete="off" onChange={(event) => setModel(event.target.value)} />
            )}
          </Field>
        </div>
        <div className="pair even">
          <Field label={t.connections.address}>
            {(id) => (
              <input
                id={id}
                value={address}
                autoComplete="off"
                placeholder="https://…/v1"
                onChange={(event) => setAddress(event.target.value)}
              />
            )}
          </Field>
          <Field label={t.settings.key}>
            {(id) => (
              <input
                id={id}
                type="password"
                value={key}
                autoComplete="off"
                onChange={(event) => setKey(event.target.value)}
              />
            )}
          </Field>
        </div>
        <TestButton body={body} label={t.settings.testThis} />
        <p className="muted small">{t.settings.modelHelp}</p>
        <pre className="sql" tabIndex={0} role="region" aria-label={t.settings.model}>
          <code>{lines.join("\n")}</code>
        </pre>
      </form>
    </section>
  );
}
