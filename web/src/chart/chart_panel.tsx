import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { linkTo } from "../api/client";
import type { Cell, ChartSpec, Column } from "../api/types";
import { useMayDownload } from "../app/world";
import { useText } from "../i18n";
import { columnLabel } from "../i18n/format";
import { LinkButton } from "../ui/button";
import { fileStem, saveAs } from "../ui/copy";
import { Select, ShortField } from "../ui/field";
import { Check, Series } from "../ui/form";
import { Icon } from "../ui/icons";
import { Menu, type MenuItem } from "../ui/menu";
import { notify } from "../ui/notice";
import { Toolbar } from "../ui/row";
import { Empty, Text } from "../ui/text";
import {
  axesOf,
  become,
  choiceOf,
  dimensions,
  fromRows,
  fromSpec,
  gridOf,
  isDrawnFromRows,
  lookOf,
  makesWhole,
  measures,
  MOST_SERIES,
  toGoal,
  toNumber,
  withOpen,
  type ChartType,
  type Choice,
  type Stacking,
} from "./model";
import { copyPicture, savePicture, type PictureKind } from "./picture";
import { useCurrency } from "./units";
import styles from "./chart_panel.module.css";

const Drawing = lazy(() => import("./drawing"));
const HeatMap = lazy(() => import("./grid").then((parts) => ({ default: parts.HeatMap })));
const PivotTable = lazy(() => import("./grid").then((parts) => ({ default: parts.PivotTable })));
const TYPES: ChartType[] = ["bar", "line", "area", "pie", "scatter", "heat", "pivot"];
const STACKINGS: Stacking[] = ["none", "stacked", "full"];

const NONE: string[] = [];

type Props = {
  spec: ChartSpec | null;
  columns: Column[];
  rows: Cell[][];
  resultId: string | null;
  bare?: boolean;
  open?: string[];
  /** The database that the numbers are from, whose currency they are in. */
  connection?: string;
  /** What pictures and files are called after. */
  name?: string;
  /** The column of the shares, where the question was how large the parts are. */
  share?: string;
};

/** The chart with its toolbar; `bare` is the picture alone, as the server chose it. */
export function ChartPanel({
  spec,
  columns,
  rows,
  resultId,
  bare = false,
  open = NONE,
  connection = "",
  name = "",
  share = "",
}: Props) {
  const t = useText();
  const mayTake = useMayDownload(connection);
  const frame = useRef<HTMLDivElement>(null);
  const first = useMemo(() => choiceOf(spec, columns, rows, share), [spec, columns, rows, share]);
  const [chosen, setChosen] = useState<Choice | null>(null);
  const [goal, setGoal] = useState("");
  const choice = chosen ?? first;
  const isGrid = choice?.type === "heat" || choice?.type === "pivot";
  const model = useMemo(() => {
    const made = chosen
      ? fromRows(chosen, columns, rows)
      : spec && !isDrawnFromRows(spec, columns, share)
        ? fromSpec(spec)
        : first && fromRows(first, columns, rows);
    return made && withOpen(made, [...open, ...(spec?.open ?? NONE)]);
  }, [chosen, spec, first, columns, rows, open, share]);
  const grid = useMemo(
    () => (choice && isGrid ? gridOf(choice, columns, rows) : null),
    [choice, isGrid, columns, rows],
  );
  const numbers = useMemo(() => measures(columns, rows), [columns, rows]);
  const names = useMemo(() => dimensions(columns, rows), [columns, rows]);
  const columnOf = (name: string) => columns.find((column) => column.name === name);
  const labelOf = (name: string) => {
    const column = columnOf(name);
    return column ? columnLabel(column) : name;
  };
  const measured = choice?.split || isGrid ? columnOf(choice?.series[0] ?? "") : undefined;
  const looks = isGrid ? [lookOf(measured, [])] : (model?.looks ?? []);
  const currency = useCurrency(
    connection,
    looks.some((look) => look.unit === "money" && !look.currency),
  );
  if (!choice || !model || !model.points.length) return <Empty>{t.chart.none}</Empty>;
  const axes = axesOf(choice.type, columns, rows, first);
  // One measure alone can be drawn of these.
  const isAlone = isGrid || choice.split !== "" || choice.type === "pie" || choice.type === "scatter";
  const change = (part: Partial<Choice>) => setChosen({ ...choice, ...part });
  const toggle = (each: string) => {
    const series = choice.series.includes(each)
      ? choice.series.filter((other) => other !== each)
      : [...choice.series, each].slice(-MOST_SERIES);
    if (series.length) change({ series });
  };
  const place = columns.findIndex((column) => column.name === choice.series[0]);
  const adds =
    place < 0 ||
    makesWhole(
      columns[place]!,
      rows.map((row) => toNumber(row[place])),
    );
  // What was drawn as a pie already stays one: somebody asked for it.
  const offered = TYPES.filter(
    (type) => isPossible(type, numbers, names) && (type !== "pie" || adds || choice.type === "pie"),
  );
  const bounded = choice.type === "bar" || choice.type === "line" || choice.type === "area";
  const stem = fileStem(name);
  const svg = () => frame.current?.querySelector<SVGSVGElement>("svg[data-chart], svg.recharts-surface");
  const picture = async (kind: PictureKind, copies: boolean) => {
    const found = svg();
    if (!found) return;
    if (copies && (await copyPicture(found, kind))) return notify(t.app.copied);
    await savePicture(found, kind, stem);
    if (copies) notify(t.chart.notCopied);
  };
  const download = (format: "csv" | "xlsx") =>
    resultId &&
    saveAs(
      linkTo("/results/{result_id}/export", {
        path: { result_id: resultId },
        query: { format, name: stem, told: true },
      }),
      `${stem}.${format}`,
    );
  const splits = choice.type === "bar" || choice.type === "line" || choice.type === "area" || isGrid;
  const stacks = (choice.type === "bar" || choice.type === "area") && model.names.length > 1;
  const pictures: MenuItem[] = [
    { label: t.chart.copyPng, icon: "copy", onSelect: () => void picture("png", true) },
    { label: t.chart.copySvg, icon: "copy", onSelect: () => void picture("svg", true) },
    { label: t.chart.png, icon: "download", onSelect: () => void picture("png", false) },
    { label: t.chart.svg, icon: "download", onSelect: () => void picture("svg", false) },
  ];
  const files: MenuItem[] = [
    { label: t.chart.csv, icon: "download", onSelect: () => download("csv") },
    { label: t.chart.xlsx, icon: "download", onSelect: () => download("xlsx") },
  ];
  const shown = model.measure || (measured && columnLabel(measured)) || model.names.join(", ");
  const by = [choice.x, choice.split].filter(Boolean).map(labelOf).join(" × ");
  const title = t.chart.of(t.chart.types[choice.type], shown, by);
  const Grid = choice.type === "heat" ? HeatMap : PivotTable;
  const drawing = (
    <div
      ref={frame}
      role={choice.type === "pivot" ? undefined : "img"}
      aria-label={choice.type === "pivot" ? undefined : title}
      className={styles.chart}
    >
      <Suspense fallback={<div className={styles.chartWait} />}>
        {grid && measured ? (
          <Grid
            grid={grid}
            measure={measured}
            x={labelOf(choice.x)}
            split={labelOf(choice.split)}
            currency={currency}
            open={spec?.open ?? open}
          />
        ) : (
          <Drawing
            model={model}
            currency={currency}
            height={bare ? 260 : 340}
            goal={bounded ? toGoal(goal) : null}
            zooms={!bare}
          />
        )}
      </Suspense>
    </div>
  );
  if (bare) return drawing;
  return (
    <div className={styles.chartPanel}>
      <div role="toolbar" aria-label={t.chart.options} className={styles.head}>
        <Toolbar>
          <Select
            label={t.chart.type}
            value={choice.type}
            choices={offered.map((type) => ({ value: type, label: t.chart.types[type] }))}
            onChange={(type) => setChosen(become(type, choice, first, columns, rows))}
          />
          <Select
            label={t.chart.x}
            value={choice.x}
            choices={axes.map((each) => ({ value: each, label: labelOf(each) }))}
            onChange={(x) => change({ x, split: choice.split === x ? "" : choice.split })}
          />
          {splits && names.some((each) => each !== choice.x) && (
            <Select
              label={t.chart.split}
              value={choice.split}
              choices={[
                ...(isGrid ? [] : [{ value: "", label: t.chart.noSplit }]),
                ...names.filter((each) => each !== choice.x).map((each) => ({ value: each, label: labelOf(each) })),
              ]}
              onChange={(split) => change({ split, series: choice.series.slice(0, split ? 1 : undefined) })}
            />
          )}
          {numbers.length > 1 && isAlone && (
            <Select
              label={t.chart.measure}
              value={choice.series[0] ?? ""}
              choices={numbers
                .filter((each) => choice.type !== "scatter" || each !== choice.x)
                .map((each) => ({ value: each, label: labelOf(each) }))}
              onChange={(each) => change({ series: [each] })}
            />
          )}
          {numbers.length > 1 && !isAlone && (
            <Series>
              <legend>{t.chart.series}</legend>
              {numbers.slice(0, 12).map((each) => (
                <Check key={each}>
                  <input type="checkbox" checked={choice.series.includes(each)} onChange={() => toggle(each)} />
                  <span>{labelOf(each)}</span>
                </Check>
              ))}
            </Series>
          )}
          {stacks && (
            <Select
              label={t.chart.stacking}
              value={choice.stacked}
              choices={STACKINGS.map((each) => ({ value: each, label: t.chart.stackings[each] }))}
              onChange={(stacked) => change({ stacked })}
            />
          )}
          {bounded && choice.stacked !== "full" && (
            <ShortField
              label={t.chart.goal}
              inputMode="decimal"
              size={9}
              value={goal}
              placeholder={t.chart.goalPlace}
              aria-invalid={goal.trim() !== "" && toGoal(goal) === null}
              onText={setGoal}
            />
          )}
        </Toolbar>
        {mayTake && (
          <Menu
            plain
            label={t.answer.export}

            items={[...(choice.type === "pivot" ? [] : pictures), ...(resultId ? files : [])]}
          >
            <Icon name="download" size={16} />
            <span>{t.answer.export}</span>
          </Menu>
        )}
      </div>
      {drawing}
      {spec?.picture && /^https?:/.test(spec.picture) && !chosen && (
        <LinkButton as="a" small href={spec.picture} target="_blank" rel="noreferrer noopener">
          {t.chart.elsewhere}
        </LinkButton>
      )}
      {(grid ? grid.cut : model.cut) && (
        <Text muted small>
          {t.chart.aggregated}
        </Text>
      )}
    </div>
  );
}

/** What can be drawn of these columns: two numbers against each other, or one by two dimensions. */
function isPossible(type: ChartType, numbers: string[], names: string[]): boolean {
  if (type === "scatter") return numbers.length > 1;
  return (type !== "heat" && type !== "pivot") || (names.length > 1 && numbers.length > 0);
}
