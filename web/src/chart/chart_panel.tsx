import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { linkTo } from "../api/client";
import type { Cell, ChartSpec, Column } from "../api/types";
import { useMayDownload } from "../app/world";
import { useText } from "../i18n";
import { columnLabel } from "../i18n/format";
import { LinkButton } from "../ui/button";
import { fileStem, saveAs } from "../ui/copy";
import { Select } from "../ui/field";
import { Check, Series } from "../ui/form";
import { Icon } from "../ui/icons";
import { Menu, type MenuItem } from "../ui/menu";
import { notify } from "../ui/notice";
import { Spring, Toolbar } from "../ui/row";
import { Empty, Text } from "../ui/text";
import {
  choiceOf,
  dimensions,
  fromRows,
  fromSpec,
  gridOf,
  lookOf,
  makesWhole,
  measures,
  MOST_SERIES,
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
}: Props) {
  const t = useText();
  const mayTake = useMayDownload(connection);
  const frame = useRef<HTMLDivElement>(null);
  const first = useMemo(() => choiceOf(spec, columns, rows), [spec, columns, rows]);
  const [chosen, setChosen] = useState<Choice | null>(null);
  const choice = chosen ?? first;
  const isGrid = choice?.type === "heat" || choice?.type === "pivot";
  const model = useMemo(() => {
    const made = chosen
      ? fromRows(chosen, columns, rows)
      : spec
        ? fromSpec(spec)
        : first && fromRows(first, columns, rows);
    return made && withOpen(made, [...open, ...(spec?.open ?? NONE)]);
  }, [chosen, spec, first, columns, rows, open]);
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
  const change = (part: Partial<Choice>) => setChosen({ ...choice, ...part });
  const toggle = (each: string) => {
    const series = choice.series.includes(each)
      ? choice.series.filter((other) => other !== each)
      : [...choice.series, each].slice(-MOST_SERIES);
    if (series.length) change({ series });
  };
  const become = (type: ChartType) => {
    if (type === "scatter") change({ type, split: "", ...twoNumbers(choice, numbers) });
    else if (type !== "heat" && type !== "pivot") change({ type });
    else {
      const x = names.includes(choice.x) ? choice.x : (names[0] ?? choice.x);
      const split = choice.split && choice.split !== x ? choice.split : (names.find((each) => each !== x) ?? "");
      change({ type, x, split, series: choice.series.filter((each) => numbers.includes(each)).slice(0, 1) });
    }
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
  const axes = [choice.x, choice.split].filter(Boolean).map(labelOf).join(" × ");
  const title = t.chart.of(t.chart.types[choice.type], shown, axes);
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
          <Drawing model={model} currency={currency} height={bare ? 260 : 340} />
        )}
      </Suspense>
    </div>
  );
  if (bare) return drawing;
  return (
    <div className={styles.chartPanel}>
      <Toolbar role="toolbar" aria-label={t.chart.options}>
        <Select
          label={t.chart.type}
          value={choice.type}
          choices={offered.map((type) => ({ value: type, label: t.chart.types[type] }))}
          onChange={become}
        />
        <Select
          label={t.chart.x}
          value={choice.x}
          choices={columns.map((column) => ({ value: column.name, label: columnLabel(column) }))}
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
        {numbers.length > 1 && (choice.split || isGrid) && (
          <Select
            label={t.chart.measure}
            value={choice.series[0] ?? ""}
            choices={numbers.map((each) => ({ value: each, label: labelOf(each) }))}
            onChange={(each) => change({ series: [each] })}
          />
        )}
        {numbers.length > 1 && !choice.split && !isGrid && (
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
        <Spring />
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
      </Toolbar>
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

/** The axes of a scatter chart: both are numbers, the chosen ones where they are. */
function twoNumbers(choice: Choice, numbers: string[]): Pick<Choice, "x" | "series"> {
  const y = choice.series.find((each) => numbers.includes(each)) ?? numbers[0]!;
  const x = numbers.includes(choice.x) && choice.x !== y ? choice.x : numbers.find((each) => each !== y)!;
  return { x, series: [y] };
}
