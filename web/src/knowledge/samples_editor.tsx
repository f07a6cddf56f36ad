import { useState } from "react";
import { SqlEditor } from "../answer/sql_editor";
import { spread } from "../answer/sql_text";
import { get, linkTo, post, remove } from "../api/client";
import type { Sample } from "../api/types";
import { useMay } from "../app/identity";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { Badge } from "../ui/badge";
import { Button, IconButton } from "../ui/button";
import { Cards } from "../ui/card";
import { saveAs } from "../ui/copy";
import { Labelled, TextField } from "../ui/field";
import { FormDialog } from "../ui/form_dialog";
import { Icon } from "../ui/icons";
import { notify, Problem, useAttempt } from "../ui/notice";
import { Count, Stack } from "../ui/page";
import { RemoveButton } from "../ui/remove_button";
import { Toolbar } from "../ui/row";
import { SearchBox } from "../ui/search_box";
import { Text } from "../ui/text";
import { SampleSheet } from "./sample_sheet";
import { WrongAnswers } from "./wrong_answers";
import { YamlImport } from "./yaml_import";
import styles from "./samples_editor.module.css";

/** Questions with the SQL that answers them: those that wait for review first. */
export function SamplesEditor({ connection }: { connection: string }) {
  const t = useText();
  const may = useMay();
  const { language } = usePreferences();
  const [words, setWords] = useState("");
  const [adding, setAdding] = useState(false);
  const samples = useLoad(`samples ${connection}`, () =>
    get("/connections/{connection_id}/samples", { path: { connection_id: connection } }),
  );
  if (samples.error) return <Problem error={samples.error} onRetry={samples.reload} />;
  const folded = words.trim().toLowerCase();
  const found = (samples.data ?? []).filter((sample) =>
    `${sample.question} ${sample.sql}`.toLowerCase().includes(folded),
  );
  const waiting = found.filter((sample) => !sample.approved);
  const approved = found
    .filter((sample) => sample.approved)
    .sort((a, b) => Number(b.language === language) - Number(a.language === language)); // the reader's own first
  return (
    <Stack>
      <Toolbar>
        <SearchBox grow label={t.app.search} value={words} onText={setWords} />
        <Button
          icon="download"
          kind="quiet"
          onClick={() =>
            saveAs(
              linkTo("/connections/{connection_id}/samples.yaml", { path: { connection_id: connection } }),
              "samples.yaml",
            )
          }
        >
          {t.knowledge.exportYaml}
        </Button>
        {may("review") && (
          <YamlImport
            onText={(yaml) =>
              post("/connections/{connection_id}/samples.yaml", {
                path: { connection_id: connection },
                body: { yaml },
              }).then((made) => notify(t.knowledge.imported(made.samples)))
            }
            onDone={samples.reload}
          />
        )}
        {may("samples") && (
          <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
            {t.knowledge.addSample}
          </Button>
        )}
      </Toolbar>
      {may("review") && <WrongAnswers connection={connection} onKept={samples.reload} />}
      {(may("samples") || waiting.length > 0) && (
        <section aria-label={t.knowledge.review}>
          <h2>
            {t.knowledge.review} <Count>{waiting.length}</Count>
          </h2>
          {samples.data && !waiting.length && <Text muted>{t.knowledge.noReview}</Text>}
          <Cards>
            {waiting.map((sample) => (
              <SampleCard key={sample.id} sample={sample} connection={connection} open onChange={samples.reload} />
            ))}
          </Cards>
        </section>
      )}
      <section aria-label={t.knowledge.approved}>
        <h2>
          {t.knowledge.approved} <Count>{approved.length}</Count>
        </h2>
        <Cards>
          {approved.map((sample) => (
            <SampleCard key={sample.id} sample={sample} connection={connection} onChange={samples.reload} />
          ))}
        </Cards>
      </section>
      {adding && <SampleForm connection={connection} onClose={() => setAdding(false)} onDone={samples.reload} />}
    </Stack>
  );
}

function SampleCard({
  sample,
  connection,
  open = false,
  onChange,
}: {
  sample: Sample;
  connection: string;
  open?: boolean;
  onChange: () => Promise<void>;
}) {
  const t = useText();
  const attempt = useAttempt();
  const may = useMay();
  const [shown, setShown] = useState(open);
  const [editing, setEditing] = useState(false);
  const changes = may("samples") && (may("review") || (sample.mine && !sample.approved));
  const approve = async () => {
    if (!(await attempt(() => post("/samples/{sample_id}/approve", { path: { sample_id: sample.id } })))) return;
    notify(t.knowledge.approvedNow);
    await onChange();
  };
  const forget = async () => {
    await remove("/samples/{sample_id}", { path: { sample_id: sample.id } });
    await onChange();
  };
  return (
    <SampleSheet>
      <header>
        <button type="button" className={styles.sampleName} aria-expanded={shown} onClick={() => setShown(!shown)}>
          <Icon name="chevron" size={14} />
          <span>{sample.question}</span>
        </button>
        <Badge>{t.knowledge.source[sample.source] ?? sample.source}</Badge>
        {sample.problem && (
          <Badge kind="bad" title={sample.problem}>
            {t.knowledge.problem}
          </Badge>
        )}
        {!sample.approved && may("review") && (
          <Button icon="check" onClick={approve} aria-label={t.app.colon(t.knowledge.approve) + sample.question}>
            {t.knowledge.approve}
          </Button>
        )}
        {changes && (
          <IconButton icon="edit" label={t.app.colon(t.app.edit) + sample.question} onClick={() => setEditing(true)} />
        )}
        {(sample.mine || may("review")) && <RemoveButton what={sample.question} onRemove={forget} />}
      </header>
      {shown && <SqlEditor value={spread(sample.sql)} readOnly label={t.knowledge.sql} />}
      {editing && (
        <SampleForm connection={connection} sample={sample} onClose={() => setEditing(false)} onDone={onChange} />
      )}
    </SampleSheet>
  );
}

/** A changed pair takes the place of the old one, and stays approved only where the reviewer changed it. */
async function save(connection: string, pair: { question: string; sql: string }, old?: Sample): Promise<void> {
  const made = await post("/connections/{connection_id}/samples", { path: { connection_id: connection }, body: pair });
  if (!old || made.id === old.id) return;
  if (old.approved) await post("/samples/{sample_id}/approve", { path: { sample_id: made.id } });
  await remove("/samples/{sample_id}", { path: { sample_id: old.id } });
}

function SampleForm({
  connection,
  sample,
  onClose,
  onDone,
}: {
  connection: string;
  sample?: Sample;
  onClose: () => void;
  onDone: () => Promise<void>;
}) {
  const t = useText();
  const [question, setQuestion] = useState(sample?.question ?? "");
  const [sql, setSql] = useState(sample ? spread(sample.sql) : "");
  const keep = async () => {
    await save(connection, { question, sql }, sample);
    await onDone();
  };
  return (
    <FormDialog
      title={sample ? t.knowledge.editSample : t.knowledge.addSample}
      action={sample ? undefined : t.app.add}
      ready={question.trim() !== "" && sql.trim() !== ""}
      onClose={onClose}
      onSend={keep}
    >
      <TextField label={t.knowledge.question} required maxLength={4000} value={question} onText={setQuestion} />
      <Labelled label={t.knowledge.sql}>
        <SqlEditor value={sql} onChange={setSql} label={t.knowledge.sql} />
      </Labelled>
    </FormDialog>
  );
}
