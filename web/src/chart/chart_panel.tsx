import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { linkTo } from "../api/client";
import type { Cell, ChartSpec, Column } from "../api/types";
import { useText } from "../i18n";
import { Select } from "../ui/field";
import { Icon } from "../ui/icons";
import { Menu } from "../ui/menu";
import { saveAs } from "../ui/copy";
import { choiceOf, fromRows, fromSpec, measures, MOST_SERIES, withOpen, type ChartType, type Choice } from "./model";
import { savePng, saveSvg } from "./picture";

const Drawing = lazy(() => import("./drawing"));
const TYPES: ChartType[] = ["bar", "line", "area", "pie", "scatter"];

const NONE: string[] = [];

type Props = {
  spec: ChartSpec | null;
  columns: Column[];
  rows: Cell[][];
  resultId: string | null;
  bare?: boolean;
  open?: string[];
};

/** The chart with its toolbar; `bare` is the picture alone, as the server chose it. */
export function ChartPanel({ spec, columns, rows, resultId, bare = false, open = NONE }: Props) {
  const t = useText();
  const frame = useRef<HTMLDivElement>(null);
  const first = useMemo(() => choiceOf(spec, columns, rows), [spec, columns, rows]);
  const [chosen, setChosen] = useState<Choice | null>(null);
  const choice = chosen ?? first;
  const model = useMemo(() => {
    const made = chosen
      ? fromRows(chosen, columns, rows)
      : spec
        ? fromSpec(spec)
        : first && fromRows(first, columns, rows);
    return made && withOpen(made, open);
  }, [chosen, spec, first, columns, rows, open]);
  if (!choice || !model || !model.points.length) return <p className="muted empty">{t.chart.none}</p>;
  const numbers = measures(columns, rows);
  const change = (part: Partial<Choice>) => setChosen({ ...choice, ...part });
  const toggle = (name: string) => {
    const series = choice.series.includes(name)
      ? choice.series.filter((each) => each !== name)
      : [...choice.series, name].slice(-MOST_SERIES);
    if (series.length) change({ series });
  };
  const svg = () => frame.current?.querySelector<SVGSVGElement>("svg.recharts-surface");
  const download = (format: "csv" | "xlsx") =>
    resultId &&
    saveAs(
      linkTo("/results/{result_id}/export", { path: { result_id: resultId }, query: { format } }),
      `inquery.${format}`,
    );
  const title = t.chart.of(t.chart.types[model.type], model.names.join(", "), model.x);
  const drawing = (
    <div ref={frame} role="img" aria-label={title} className={`chart ${bare ? "bare" : ""}`}>
      <Suspense fallback={<div className="chart-wait" />}>
        <Drawing model={model} height={bare ? 240 : 320} />
      </Suspense>
    </div>
  );
  if (bare) return drawing;
  return (
    <div className="chart-panel">
      <div className="toolbar" role="toolbar" aria-label={t.chart.options}>
        <Select
          label={t.chart.type}
          value={choice.type}
          choices={TYPES.filter((type) => type !== "scatter" || numbers.length > 1).map((type) => ({
            value: type,
            label: t.chart.types[type],
          }))}
          onChange={(type) => change(type === "scatter" ? { type, ...twoNumbers(choice, numbers) } : { type })}
        />
        <Select
          label={t.chart.x}
          value={choice.x}
          choices={columns.map((column) => ({ value: column.name, label: column.name }))}
          onChange={(x) => change({ x })}
        />
        {numbers.length > 1 && (
          <fieldset className="series">
            <legend>{t.chart.series}</legend>
            {numbers.slice(0, 12).map((name) => (
              <label key={name} className="check">
                <input type="checkbox" checked={choice.series.includes(name)} onChange={() => toggle(name)} />
                <span>{name}</span>
              </label>
            ))}
          </fieldset>
        )}
        {choice.series.length > 1 && (choice.type === "bar" || choice.type === "area") && (
          <label className="check">
            <input
              type="checkbox"
              checked={choice.stacked}
              onChange={(event) => change({ stacked: event.target.checked })}
            />
            <span>{t.chart.stacked}</span>
          </label>
        )}
        <span className="spring" />
        <Menu
          label={t.answer.export}
          className="button plain"
          items={[
            { label: t.chart.png, onSelect: () => void (svg() && savePng(svg()!)) },
            { label: t.chart.svg, onSelect: () => svg() && saveSvg(svg()!) },
            ...(resultId
              ? [
                  { label: t.chart.csv, onSelect: () => download("csv") },
                  { label: t.chart.xlsx, onSelect: () => download("xlsx") },
                ]
              : []),
          ]}
        >
          <Icon name="download" size={16} />
          <span>{t.answer.export}</span>
        </Menu>
      </div>
      {drawing}
      {spec?.picture && /^https?:/.test(spec.picture) && !chosen && (
        <a className="link small" href={spec.picture} target="_blank" rel="noreferrer noopener">
          {t.chart.elsewhere}
        </a>
      )}
      {model.cut && <p className="muted small">{t.chart.aggregated}</p>}
    </div>
  );
}

/** The axes of a scatter chart: both are numbers, the chosen ones where they are. */
function twoNumbers(choice: Choice, numbers: string[]): Pick<Choice, "x" | "series"> {
  const y = choice.series[0] ?? numbers[0]!;
  const x = numbers.includes(choice.x) && choice.x !== y ? choice.x : numbers.find((each) => each !== y)!;
  return { x, series: [y] };
}
