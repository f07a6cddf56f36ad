import { useId } from "react";
import { get } from "../api/client";
import type { ReportParameter } from "../api/types";
import { useLoad } from "../app/load";
import { useText } from "../i18n";
import { Field } from "../ui/field";

/** What a report may be given at a run. */
export function useParameters(report: string) {
  return useLoad(`parameters ${report}`, () => get("/reports/{report_id}/parameters", { path: { report_id: report } }));
}

export type Given = Record<string, string>;

/** What was typed, without what was left as it is. */
export const filled = (given: Given): Given =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== ""));

type Props = { parameters: ReportParameter[]; given: Given; onChange: (given: Given) => void };

/** A field for each parameter; what is left empty is as the template says. */
export function ParameterFields({ parameters, given, onChange }: Props) {
  const t = useText();
  const periods = useId();
  return (
    <>
      <datalist id={periods}>
        {t.reports.periods.map((period) => (
          <option key={period} value={period} />
        ))}
      </datalist>
      {parameters.map((each) => (
        <Field
          key={each.name}
          label={each.name}
          help={each.default ? t.reports.usually(each.default) : each.type === "period" ? t.reports.periodHelp : ""}
        >
          {(id) =>
            each.choices.length ? (
              <select
                id={id}
                value={given[each.name] ?? (each.choices.includes(each.default) ? each.default : "")}
                onChange={(event) => onChange({ ...given, [each.name]: event.target.value })}
              >
                {!each.choices.includes(each.default) && <option value="">{each.default}</option>}
                {each.choices.map((choice) => (
                  <option key={choice}>{choice}</option>
                ))}
              </select>
            ) : (
              <input
                id={id}
                type={each.type === "number" ? "number" : each.type === "date" ? "date" : "text"}
                step="any"
                list={each.type === "period" ? periods : undefined}
                placeholder={each.default}
                maxLength={200}
                autoComplete="off"
                value={given[each.name] ?? ""}
                onChange={(event) => onChange({ ...given, [each.name]: event.target.value })}
              />
            )
          }
        </Field>
      ))}
    </>
  );
}
