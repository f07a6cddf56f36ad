import { Fragment, useState } from "react";
import { get, post, remove } from "../api/client";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { PlainTable } from "../settings/plain_table";
import { Button } from "../ui/button";
import { Field, TextField } from "../ui/field";
import { Check, Series } from "../ui/form";
import { FormDialog } from "../ui/form_dialog";
import { Problem } from "../ui/notice";
import { Stack } from "../ui/page";
import { RemoveButton } from "../ui/remove_button";
import { Row } from "../ui/row";
import { Text } from "../ui/text";
import { When } from "../ui/when";
import { cronOf, FIRST, inWords, weekdayName, type Often } from "./cron";
import { filled, ParameterFields, useParameters, type Given } from "./parameters";
import { addressesOf } from "./written";
import styles from "./reports.module.css";

const OUTPUTS = ["html", "pdf", "docx", "md"] as const;
type Output = (typeof OUTPUTS)[number];
const OFTEN: Often[] = ["daily", "weekdays", "weekly", "monthly", "custom"];

/** When a report is filled by itself, in words. */
export function Schedules({ report }: { report: string }) {
  const t = useText();
  const { language } = usePreferences();
  const [adding, setAdding] = useState(false);
  const found = useLoad(`schedules ${report}`, () =>
    get("/reports/{report_id}/schedules", { path: { report_id: report } }),
  );
  const forget = async (id: string) => {
    await remove("/reports/{report_id}/schedules/{schedule_id}", { path: { report_id: report, schedule_id: id } });
    await found.reload();
  };
  if (found.error) return <Problem error={found.error} onRetry={found.reload} />;
  return (
    <Stack>
      <Row end>
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          {t.reports.addSchedule}
        </Button>
      </Row>
      <PlainTable
        label={t.reports.schedule}
        none={t.reports.noSchedules}
        head={[
          t.reports.rhythm,
          t.connections.timezone,
          t.reports.outputs,
          t.reports.parameters,
          t.reports.next,
          t.settings.outcome,
          "",
        ]}
        rows={(found.data ?? []).map((each) => [
          <span title={each.cron}>{inWords(each.cron, language)}</span>,
          each.timezone || "UTC",
          [
            each.outputs.join(", ").toUpperCase(),
            each.delivers && t.reports.delivers,
            each.recipients.length > 0 && (
              <span key="mail" title={each.recipients.join(", ")}>
                {t.reports.mailed(each.recipients.length)}
              </span>
            ),
          ]
            .filter(Boolean)
            .map((part, place) => (
              <Fragment key={place}>
                {place > 0 && " · "}
                {part}
              </Fragment>
            )),
          Object.entries(each.parameters)
            .map(([name, value]) => `${name} = ${value}`)
            .join(", "),
          each.next_at && <When at={each.next_at} />,
          each.last_outcome || t.settings.never,
          <RemoveButton what={inWords(each.cron, language)} onRemove={() => forget(each.id)} />,
        ])}
      />
      {adding && <NewSchedule report={report} onClose={() => setAdding(false)} onDone={found.reload} />}
    </Stack>
  );
}

function NewSchedule({
  report,
  onClose,
  onDone,
}: {
  report: string;
  onClose: () => void;
  onDone: () => Promise<void>;
}) {
  const t = useText();
  const { language } = usePreferences();
  const parameters = useParameters(report);
  const [rhythm, setRhythm] = useState(FIRST);
  const [timezone, setTimezone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC");
  const [outputs, setOutputs] = useState<Output[]>(["html"]);
  const [target, setTarget] = useState("");
  const [recipients, setRecipients] = useState("");
  const known = useLoad("reports", () => get("/reports"));
  const [given, setGiven] = useState<Given>({});
  const cron = cronOf(rhythm);
  const send = async () => {
    await post("/reports/{report_id}/schedules", {
      path: { report_id: report },
      body: {
        cron,
        timezone: timezone.trim(),
        outputs,
        target: target.trim(),
        recipients: addressesOf(recipients),
        parameters: filled(given),
      },
    });
    await onDone();
  };
  return (
    <FormDialog
      title={t.reports.addSchedule}
      action={t.app.add}
      ready={cron !== "" && outputs.length > 0}
      onClose={onClose}
      onSend={send}
    >
      <div className={styles.rhythm}>
        <Field label={t.reports.rhythm}>
          {(id) => (
            <select
              id={id}
              value={rhythm.often}
              onChange={(event) => setRhythm({ ...rhythm, cron, often: event.target.value as Often })}
            >
              {OFTEN.map((often) => (
                <option key={often} value={often}>
                  {t.reports.often[often]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {rhythm.often === "weekly" && (
          <Field label={t.reports.weekday}>
            {(id) => (
              <select
                id={id}
                value={rhythm.weekday}
                onChange={(event) => setRhythm({ ...rhythm, weekday: Number(event.target.value) })}
              >
                {[1, 2, 3, 4, 5, 6, 0].map((day) => (
                  <option key={day} value={day}>
                    {weekdayName(day, language)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {rhythm.often === "monthly" && (
          <TextField
            label={t.reports.dayOfMonth}
            type="number"
            min={1}
            max={28}
            value={String(rhythm.day)}
            onText={(day) => setRhythm({ ...rhythm, day: Number(day) })}
          />
        )}
        {rhythm.often === "custom" ? (
          <TextField
            label={t.reports.cron}
            maxLength={100}
            value={rhythm.cron}
            onText={(text) => setRhythm({ ...rhythm, cron: text })}
          />
        ) : (
          <TextField
            label={t.reports.time}
            type="time"
            required
            value={rhythm.time}
            onText={(time) => setRhythm({ ...rhythm, time })}
          />
        )}
      </div>
      <Text muted role="status">
        {inWords(cron, language)}
      </Text>
      <TextField
        label={t.connections.timezone}
        list="zones"
        maxLength={60}
        required
        value={timezone}
        onText={setTimezone}
      />
      <datalist id="zones">
        {Intl.supportedValuesOf("timeZone").map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <Series>
        <legend>{t.reports.outputs}</legend>
        {OUTPUTS.map((output) => (
          <Check key={output}>
            <input
              type="checkbox"
              checked={outputs.includes(output)}
              onChange={(event) =>
                setOutputs(event.target.checked ? [...outputs, output] : outputs.filter((each) => each !== output))
              }
            />
            <span>{output.toUpperCase()}</span>
          </Check>
        ))}
      </Series>
      <TextField
        label={t.reports.recipients}
        help={known.data && !known.data.mail ? t.reports.noMail : t.reports.recipientsHelp}
        disabled={!known.data?.mail}
        maxLength={2000}
        spellCheck={false}
        inputMode="email"
        value={recipients}
        onText={setRecipients}
      />
      <TextField
        label={t.reports.target}
        help={t.reports.targetHelp}
        maxLength={2000}
        spellCheck={false}
        value={target}
        onText={setTarget}
      />
      <ParameterFields parameters={parameters.data ?? []} given={given} onChange={setGiven} />
    </FormDialog>
  );
}
