import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  Cell as Slice,
  Legend,
  Line,
  LineChart,
  Pie,
  PieChart,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatShare } from "../i18n/format";
import { isComparison, OTHERS, unitOf, type ChartModel, type Point, type Unit } from "./model";
import { writerOf } from "./units";

const COLOURS = [
  "var(--chart-1)",
  "var(--chart-2)",
  "var(--chart-3)",
  "var(--chart-4)",
  "var(--chart-5)",
  "var(--chart-6)",
  "var(--chart-7)",
  "var(--chart-8)",
];
const colour = (place: number) => COLOURS[place % COLOURS.length]!;
const TICK = { fontSize: 12, fill: "var(--text-2)" };
const ROTATED_ABOVE = 8;
const TILTED_UP_TO = 40;
const DASHES = "5 4";
const TITLE = { fontSize: 12, fill: "var(--text-2)", textAnchor: "middle" as const };

type Props = { model: ChartModel; measure: string; currency?: string; height?: number };

/** `measure` names what the numbers are, where the series are values of a second dimension. */
export default function Drawing({ model, measure, currency = "", height = 300 }: Props) {
  const { language } = usePreferences();
  const t = useText();
  const largest = Math.max(0, ...model.points.flatMap((point) => point.y.map((value) => Math.abs(value ?? 0))));
  const unit = (place: number): Unit =>
    unitOf(
      measure || (model.names[place] ?? ""),
      model.points.map((point) => point.y[place] ?? null),
    );
  const units = model.names.map((_, place) => unit(place));
  const writers = units.map((each) => writerOf(each, language, currency, largest));
  const plain = writerOf("plain", language, currency, largest);
  // One axis has one unit: where the series differ it is plain.
  const one = units.every((each) => each === units[0]) ? (writers[0] ?? plain) : plain;
  const whole = model.stacked === "full" && (model.type === "bar" || model.type === "area");
  const short = (value: number) => (whole ? formatShare(value, language) : one.short(value));
  const full = (value: unknown) => (typeof value !== "number" ? String(value) : one.full(value));
  const told = (value: unknown, name: unknown): string =>
    typeof value !== "number" ? String(value) : (writers[model.names.indexOf(String(name))] ?? one).full(value);
  const title = measure || (model.names.length === 1 ? model.names[0]! : "");
  const named = (value: unknown) => (value === OTHERS ? t.chart.others : String(value));
  const name = (value: unknown) => {
    const text = named(value);
    return text.length > 14 ? `${text.slice(0, 13)}…` : text;
  };
  const grid = <CartesianGrid vertical={false} stroke="var(--line)" />;
  const tooltip = (
    <Tooltip
      cursor={{ fill: "var(--hover)", stroke: "var(--line-2)" }}
      formatter={told}
      labelFormatter={named}
      isAnimationActive={false}
      itemSorter={(item) => model.names.indexOf(String(item.name))}
      wrapperClassName="chart-tip"
    />
  );
  const legend = model.names.length > 1 ? <Legend iconType="circle" iconSize={8} itemSorter={null} /> : null;
  const many = model.points.length > ROTATED_ABOVE;
  // Every name is written, tilted where there are many; beyond that no size would be read, and the tooltip names them.
  const tilted = model.type === "bar" && many && model.points.length <= TILTED_UP_TO;
  const total = model.points.reduce((sum, point) => sum + Math.max(0, point.y[0] ?? 0), 0);
  const axis = (
    <XAxis
      dataKey={(point: Point) => point.x}
      tick={TICK}
      tickLine={false}
      axisLine={{ stroke: "var(--line-2)" }}
      tickFormatter={name}
      minTickGap={4}
      interval={tilted || (model.type === "bar" && !many) ? 0 : "preserveStartEnd"}
      {...(tilted ? { angle: -35, textAnchor: "end", height: 84 } : { height: 44 })}
      label={{ value: model.x, position: "insideBottom", offset: 0, fontSize: 12, fill: "var(--text-2)" }}
    />
  );
  const scale = (
    <YAxis
      tick={TICK}
      tickLine={false}
      axisLine={false}
      tickFormatter={short}
      width={title ? 74 : 58}
      {...(title && {
        label: { value: name(title), angle: -90, position: "insideLeft", dx: 4, style: TITLE },
      })}
    />
  );
  const margin = { top: 12, right: 16, bottom: 4, left: 0 };
  const stacks = model.stacked === "none" ? undefined : "all";
  const shared = {
    data: model.points,
    margin,
    accessibilityLayer: false,
    ...(whole && { stackOffset: "expand" as const }),
  };

  const isOpen = (point: Point) => model.open[model.points.indexOf(point)] ?? false;
  const chart = () => {
    switch (model.type) {
      case "line":
        return (
          <LineChart {...shared}>
            {grid}
            {axis}
            {scale}
            {tooltip}
            {legend}
            {model.names.flatMap((series, place) => {
              const line = {
                name: series,
                stroke: colour(place),
                strokeWidth: isComparison(series) ? 1.5 : 2,
                ...(isComparison(series) && { strokeDasharray: "2 3", strokeOpacity: 0.75 }),
                isAnimationActive: false,
                connectNulls: true,
              };
              const dot = model.points.length <= 24 ? { r: 2.5 } : false;
              const whole = (
                <Line
                  key={place}
                  {...line}
                  dot={dot}
                  dataKey={(point: Point) => (isOpen(point) ? null : point.y[place])}
                />
              );
              if (!model.open.some(Boolean)) return [whole];
              const leadsOn = (point: Point) => {
                const at = model.points.indexOf(point);
                return isOpen(point) || model.open[at + 1] ? point.y[place] : null;
              };
              const dashed = (
                <Line
                  key={`${place} open`}
                  {...line}
                  className="open-period"
                  strokeDasharray={DASHES}
                  dot={dot}
                  dataKey={leadsOn}
                  legendType="none"
                  tooltipType="none"
                />
              );
              return [whole, dashed];
            })}
          </LineChart>
        );
      case "area":
        return (
          <AreaChart {...shared}>
            {grid}
            {axis}
            {scale}
            {tooltip}
            {legend}
            {model.names.flatMap((series, place) => {
              const area = {
                name: series,
                stroke: colour(place),
                fill: colour(place),
                strokeWidth: 2,
                isAnimationActive: false,
              };
              // On each other the parts of an open period would not meet those before it.
              if (stacks || !model.open.some(Boolean))
                return [
                  <Area
                    key={place}
                    {...area}
                    fillOpacity={stacks ? 0.5 : 0.18}
                    stackId={stacks}
                    dataKey={(point: Point) => point.y[place]}
                  />,
                ];
              const leadsOn = (point: Point) => {
                const at = model.points.indexOf(point);
                return isOpen(point) || model.open[at + 1] ? point.y[place] : null;
              };
              return [
                <Area
                  key={place}
                  {...area}
                  fillOpacity={0.18}
                  dataKey={(point: Point) => (isOpen(point) ? null : point.y[place])}
                />,
                <Area
                  key={`${place} open`}
                  {...area}
                  className="open-period"
                  fillOpacity={0.07}
                  strokeDasharray={DASHES}
                  dataKey={leadsOn}
                  legendType="none"
                  tooltipType="none"
                />,
              ];
            })}
          </AreaChart>
        );
      case "pie":
        return (
          <PieChart accessibilityLayer={false}>
            {tooltip}
            <Pie
              data={model.points}
              nameKey={(point: Point) => {
                const value = Math.max(0, point.y[0] ?? 0);
                const part = total ? ` · ${formatShare(value / total, language)}` : "";
                return `${named(point.x)} · ${full(value)}${part}`;
              }}
              dataKey={(point: Point) => Math.max(0, point.y[0] ?? 0)}
              innerRadius="48%"
              outerRadius="78%"
              paddingAngle={1}
              stroke="var(--surface)"
              isAnimationActive={false}
            >
              {model.points.map((_, place) => (
                <Slice key={place} fill={colour(place)} />
              ))}
            </Pie>
            <Legend iconType="circle" iconSize={8} layout="vertical" align="right" verticalAlign="middle" />
          </PieChart>
        );
      case "scatter":
        return (
          <ScatterChart margin={margin} accessibilityLayer={false}>
            <CartesianGrid stroke="var(--line)" />
            <XAxis
              type="number"
              dataKey={(point: Point) => point.x}
              name={model.x}
              tick={TICK}
              tickLine={false}
              tickFormatter={short}
              domain={["auto", "auto"]}
              axisLine={{ stroke: "var(--line-2)" }}
            />
            <YAxis
              type="number"
              dataKey={(point: Point) => point.y[0]}
              name={model.names[0]}
              tick={TICK}
              tickLine={false}
              axisLine={false}
              tickFormatter={short}
              width={54}
              domain={["auto", "auto"]}
            />
            {tooltip}
            <Scatter data={model.points} fill={colour(0)} fillOpacity={0.75} isAnimationActive={false} />
          </ScatterChart>
        );
      default:
        return (
          <BarChart {...shared} barCategoryGap="22%">
            {grid}
            {axis}
            {scale}
            {tooltip}
            {legend}
            {model.names.map((series, place) => (
              <Bar
                key={place}
                name={series}
                dataKey={(point: Point) => point.y[place]}
                fill={colour(place)}
                radius={stacks ? 0 : [4, 4, 0, 0]}
                maxBarSize={56}
                stackId={stacks}
                isAnimationActive={false}
              >
                {model.open.some(Boolean) &&
                  model.points.map((point, at) => (
                    <Slice
                      key={at}
                      fill={colour(place)}
                      {...(isOpen(point)
                        ? { className: "open-period", fillOpacity: 0.3, stroke: colour(place), strokeDasharray: DASHES }
                        : {})}
                    />
                  ))}
              </Bar>
            ))}
          </BarChart>
        );
    }
  };
  return (
    <ResponsiveContainer width="100%" height={height}>
      {chart()}
    </ResponsiveContainer>
  );
}
