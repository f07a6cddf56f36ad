import { useState } from "react";
import { get, post, put, remove } from "../api/client";
import type { Connection, SavedModel, Tested } from "../api/types";
import { useMay } from "../app/identity";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useWorld } from "../app/world";
import { useText } from "../i18n";
import { formatNumber } from "../i18n/format";
import { Badge } from "../ui/badge";
import { Button, IconButton } from "../ui/button";
import { Card, Cards } from "../ui/card";
import { Select } from "../ui/field";
import { FormDialog } from "../ui/form_dialog";
import { Facts } from "../ui/lists";
import { Problem, useAttempt } from "../ui/notice";
import { Stack } from "../ui/page";
import { Row, Spring } from "../ui/row";
import { Text } from "../ui/text";
import { ModelForm } from "./model_form";
import { Outcome } from "./model_outcome";
import { PlainTable } from "./plain_table";
import styles from "./models.module.css";
import stateStyles from "./model.module.css";

/** The model that comes with Inquery; its name is no name to a reader. */
const EMBEDDED = "embedded";

const DAYS = 30;

/** Which models there are, which of them answers where, and what they cost. */
export function Model() {
  const may = useMay();
  return (
    <Stack>
      <ServerModel />
      {may("operate") && <SavedModels />}
      {may("connections") && <ModelsOfDatabases />}
      <Spent />
    </Stack>
  );
}

/** The model of the server's own settings, which answers where no other is chosen. */
function ServerModel() {
  const t = useText();
  const may = useMay();
  const tries = useTries();
  const info = useLoad("model", () => get("/model"));
  if (info.error) return <Problem error={info.error} onRetry={info.reload} />;
  if (!info.data) return <Text muted>{t.app.loading}</Text>;
  const found = info.data;
  return (
    <Card as="section" className={stateStyles.statusCard} aria-label={t.models.server}>
      <Badge kind={found.ready ? "good" : "bad"}>{found.ready ? t.settings.ok : t.settings.notReady}</Badge>
      <h2>{found.provider === EMBEDDED ? t.models.embedded : found.name}</h2>
      <Text muted>{found.reason || t.models.serverHelp}</Text>
      <Facts>
        {found.provider !== EMBEDDED && (
          <div>
            <dt>{t.settings.provider}</dt>
            <dd>{found.provider}</dd>
          </div>
        )}
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
      </Facts>
      {may("operate") && (
        <Test name="" label={t.settings.test} tries={tries} test={() => post("/model/test", { body: {} })} />
      )}
    </Card>
  );
}

/** Tries of models, by the name of each. */
function useTries() {
  const attempt = useAttempt();
  const [busy, setBusy] = useState<string | null>(null);
  const [tried, setTried] = useState<Record<string, Tested>>({});
  const run = async (name: string, test: () => Promise<Tested>) => {
    setBusy(name);
    setTried((others) => Object.fromEntries(Object.entries(others).filter(([each]) => each !== name)));
    await attempt(async () => {
      const outcome = await test();
      setTried((others) => ({ ...others, [name]: outcome }));
    });
    setBusy(null);
  };
  return { busy, tried, run };
}

type TestProps = { name: string; label: string; tries: ReturnType<typeof useTries>; test: () => Promise<Tested> };

/** A button that has a model write a statement, and what became of it. */
function Test({ name, label, tries, test }: TestProps) {
  const t = useText();
  const outcome = tries.tried[name];
  return (
    <>
      <Row>
        <Button
          busy={tries.busy === name}
          icon="sparkle"
          aria-label={name ? `${label}: ${name}` : label}
          onClick={() => tries.run(name, test)}
        >
          {tries.busy === name ? t.settings.testing : label}
        </Button>
      </Row>
      {outcome && <Outcome tested={outcome} />}
    </>
  );
}

function SavedModels() {
  const t = useText();
  const world = useWorld();
  const [editing, setEditing] = useState<SavedModel | "new" | null>(null);
  const [leaving, setLeaving] = useState<SavedModel | null>(null);
  const tries = useTries();
  const test = (name: string) => post("/models/{name}/test", { path: { name } });
  const saved = async (name: string) => {
    await world.reload.models();
    void tries.run(name, () => test(name)); // whether it works is known before the first question
  };
  const forget = async (model: SavedModel) => {
    // A database whose model is gone would answer nothing: it gets the server's back.
    for (const each of usersOf(model, world.connections))
      await put("/connections/{connection_id}/model", { path: { connection_id: each.id }, body: { model: "" } });
    await remove("/models/{name}", { path: { name: model.name } });
    await Promise.all([world.reload.models(), world.reload.connections()]);
  };
  return (
    <section aria-label={t.models.title}>
      <h2>
        {t.models.title}
        <Spring />
        <Button kind="primary" icon="plus" onClick={() => setEditing("new")}>
          {t.models.add}
        </Button>
      </h2>
      <Text muted small>
        {t.models.lead}
      </Text>
      <Cards>
        {world.models.map((model) => (
          <Card as="li" key={model.name} className={styles.model}>
            <div className={styles.head}>
              <h3>{model.name}</h3>
              <Badge>{model.has_key ? t.models.hasKey : t.models.noKey}</Badge>
              <span className={styles.actions}>
                <IconButton
                  icon="edit"
                  label={t.app.colon(t.app.edit) + model.name}
                  onClick={() => setEditing(model)}
                />
                <IconButton
                  icon="trash"
                  label={t.app.colon(t.app.remove) + model.name}
                  onClick={() => setLeaving(model)}
                />
              </span>
            </div>
            <p className={styles.from}>
              {[model.provider, model.model, model.content?.base_url].filter(Boolean).join(" · ")}
            </p>
            <Test name={model.name} label={t.models.test} tries={tries} test={() => test(model.name)} />
          </Card>
        ))}
      </Cards>
      {!world.models.length && <Text muted>{t.models.empty}</Text>}
      {editing && (
        <ModelForm saved={editing === "new" ? null : editing} onClose={() => setEditing(null)} onSaved={saved} />
      )}
      {leaving && (
        <FormDialog
          danger
          title={t.app.sure}
          action={t.app.remove}
          onClose={() => setLeaving(null)}
          onSend={() => forget(leaving)}
        >
          <p>{leaving.name}</p>
          {usersOf(leaving, world.connections).length > 0 && (
            <Text muted>
              {t.models.usedBy(
                usersOf(leaving, world.connections)
                  .map((each) => each.name)
                  .join(", "),
              )}
            </Text>
          )}
        </FormDialog>
      )}
    </section>
  );
}

const modelOf = ({ options: { model } }: Connection): string => (typeof model === "string" ? model : "");

const usersOf = (model: SavedModel, connections: Connection[]): Connection[] =>
  connections.filter((each) => modelOf(each) === model.name);

/** The model that answers questions about each database; the demo is nobody's and takes the server's. */
function ModelsOfDatabases() {
  const t = useText();
  const world = useWorld();
  const attempt = useAttempt();
  const own = world.connections.filter((each) => each.id !== "demo");
  if (!own.length) return null;
  const choose = async (connection: string, model: string) => {
    await attempt(() =>
      put("/connections/{connection_id}/model", { path: { connection_id: connection }, body: { model } }),
    );
    await world.reload.connections();
  };
  return (
    <section aria-label={t.models.databases}>
      <h2>{t.models.databases}</h2>
      <ul className={styles.choices}>
        {own.map((each) => (
          <li key={each.id}>
            <b>{each.name}</b>
            <Select
              hidden
              label={t.app.colon(t.settings.model) + each.name}
              value={modelOf(each)}
              choices={[
                { value: "", label: t.models.server },
                { value: "embedded", label: t.models.embedded },
                ...world.models.map((model) => ({ value: model.name, label: model.name })),
              ]}
              onChange={(model) => void choose(each.id, model)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

type Total = { who: string; model: string; calls: number; tokens: number; cost: number };

/** What each person spent on each model of late. */
function Spent() {
  const t = useText();
  const may = useMay();
  const { language } = usePreferences();
  const usage = useLoad(`usage ${DAYS}`, () => get("/usage", { query: { days: DAYS, everyone: may("operate") } }));
  if (usage.error) return <Problem error={usage.error} onRetry={usage.reload} />;
  const totals = new Map<string, Total>();
  for (const line of usage.data?.models ?? []) {
    const who = line.user_name || line.user_id;
    const key = JSON.stringify([who, line.model]);
    const before = totals.get(key) ?? { who, model: line.model, calls: 0, tokens: 0, cost: 0 };
    totals.set(key, {
      ...before,
      calls: before.calls + line.calls,
      tokens: before.tokens + line.tokens,
      cost: before.cost + line.cost,
    });
  }
  const lines = [...totals.values()].sort((a, b) => b.cost - a.cost || b.tokens - a.tokens);
  return (
    <section>
      <h2>{t.models.spent(DAYS)}</h2>
      <PlainTable
        label={t.models.spent(DAYS)}
        head={[t.settings.who, t.settings.model, t.drawer.calls, t.settings.tokens, t.drawer.cost]}
        rows={lines.map((line) => [
          line.who,
          line.model.startsWith(`${EMBEDDED}:`) ? <span title={line.model}>{t.models.embedded}</span> : line.model,
          formatNumber(line.calls, language),
          formatNumber(line.tokens, language),
          formatNumber(line.cost, language, 4),
        ])}
        numbers={2}
      />
    </section>
  );
}
