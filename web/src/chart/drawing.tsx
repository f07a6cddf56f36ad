import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  Brush,
  CartesianGrid,
  Cell as Slice,
  DefaultTooltipContent,
  LabelList,
  Legend,
  Line,
  LineChart,
  Pie,
  PieChart,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
  type TooltipContentProps,
} from "recharts";
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatShare } from "../i18n/format";
import { areNames, OTHERS, scalesOf, tiltOf, ticksOf, unitOf, widthOf, type ChartModel, type Point } from "./model";
import { labelWriter, writerOf } from "./units";

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
/** What stands beside the plot: the scale with its title, and the margin. */
const BESIDE_PX = 102;
const TITLED_PX = 74;
const UNTITLED_PX = 58;
/** Below this width names beside a pie leave too little of it. */
const NARROW_PX = 460;
const PIE_NAME_PX = 22;
const PIE_PX = 210;
const LONGEST_NAME = 18;
/** Bars that have their number written above. */
const MOST_LABELLED = 12;
/** Points from which on a part of them can be looked at alone. */
const ZOOMED_FROM = 25;
const BRUSH_PX = 24;
const DASHES = "5 4";
/** Words over a drawing are read on any of it. */
const HALO = {
  fontSize: 12,
  fill: "var(--text)",
  stroke: "var(--surface)",
  strokeWidth: 4,
  paintOrder: "stroke" as const,
};
const TITLE = { fontSize: 12, fill: "var(--text-2)", textAnchor: "middle" as const };

/** A card on A4 with the margins that browsers leave; on wider paper the chart is a little narrower than its card. */
const PAPER_PX = 620;

/**
 * Whether the page is just being printed. A browser lays the page out for paper at once and tells charts that measure
 * themselves only later: they stayed as wide as the window and went beyond their cards.
 */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
    return () => {
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", end);
    };
  }, []);
  return printing;
}

/** What a tooltip says of a point of two numbers begins with its name: its place on the axis is one of the numbers. */
function PointTold(props: TooltipContentProps) {
  const point = props.payload[0]?.payload as Point | undefined;
  return <DefaultTooltipContent {...props} label={point?.name} />;
}

type Props = { model: ChartModel; currency?: string; height?: number; goal?: number | null; zooms?: boolean };

/**
 * The chart as it is drawn; `currency` is the database's, for amounts whose own nobody said. A line stands at the `goal`,
 * and of many points a part can be looked at where it `zooms`.
 */
export default function Drawing({ model, currency = "", height = 300, goal = null, zooms = false }: Props) {
  const { language } = usePreferences();
  const t = useText();
  const printing = usePrinting();
  const [measured, setMeasured] = useState(0);
  const width = printing ? PAPER_PX : measured;
  const values = model.points.flatMap((point) => point.y);
  const compares = (place: number) => model.looks[place]?.compares ?? false;
  // An axis has one unit: per cent beside amounts would be a line on the ground.
  const scales = scalesOf(model.looks).map((places) => {
    const { unit, currency: own } = model.looks[places[0]!]!;
    const points = model.points.map(({ x, y }) => ({ x, y: places.map((place) => y[place] ?? null) }));
    const writer = writerOf(
      unit,
      language,
      own || currency,
      points.flatMap(({ y }) => y),
    );
    const title = model.measure || (places.length === 1 ? model.names[places[0]!]! : "");
    return { places, points, writer, title };
  });
  const scaleOf = (place: number) =>
    Math.max(
      0,
      scales.findIndex(({ places }) => places.includes(place)),
    );
  const writers = model.names.map((_, place) => scales[scaleOf(place)]!.writer);
  const one = writers[0] ?? writerOf("plain", language, currency, values);
  const stacked = model.stacked !== "none";
  const whole = model.stacked === "full" && (model.type === "bar" || model.type === "area");
  const full = (value: unknown) => (typeof value !== "number" ? String(value) : one.full(value));
  const across = model.type === "scatter" ? model.points.map(({ x }) => (typeof x === "number" ? x : null)) : [];
  const beside = writerOf(unitOf(model.x, across), language, currency, across);
  const scatterTold = (value: unknown, name: unknown): string =>
    typeof value === "number" && name === model.x ? beside.full(value) : told(value, name);
  const told = (value: unknown, name: unknown): string =>
    typeof value !== "number" ? String(value) : (writers[model.names.indexOf(String(name))] ?? one).full(value);
  const named = (value: unknown) => (value === OTHERS ? t.chart.others : String(value));
  const shortName = (value: unknown, most = LONGEST_NAME) => {
    const text = named(value);
    return text.length > most ? `${text.slice(0, most - 1)}…` : text;
  };
  const grid = <CartesianGrid vertical={false} stroke="var(--line)" />;
  const tooltip = (
    <Tooltip
      cursor={{ fill: "var(--hover)", stroke: "var(--line-2)" }}
      formatter={model.type === "scatter" ? scatterTold : told}
      separator={t.app.colon("")}
      labelFormatter={named}
      isAnimationActive={false}
      // A period that is not over is a line of its own, which begins where the other ends: there both have the number.
      payloadUniqBy={(item: { name?: unknown }) => item.name}
      itemSorter={(item) => model.names.indexOf(String(item.name))}
      {...(model.type === "scatter" && { content: PointTold })}
    />
  );
  // Above the plot: below it the names would stand on the title of the axis.
  const legend =
    model.names.length > 1 ? (
      <Legend iconType="circle" iconSize={8} itemSorter={null} verticalAlign="top" height={30} />
    ) : null;
  const labelled = !stacked && model.points.length * model.names.length <= MOST_LABELLED;
  const labels = writers.map((writer, place) =>
    labelWriter(
      writer,
      scales[scaleOf(place)]!.points.flatMap(({ y }) => y),
    ),
  );
  const many = model.points.length > ROTATED_ABOVE;
  // Names are tilted where they are many or long, and all written where there is room; the tooltip names the others. Of
  // months and years on a line some are left out, evenly: whoever reads two knows those between them.
  const plot = width && width - BESIDE_PX - (scales.length - 1) * TITLED_PX;
  const longest = Math.max(0, ...model.points.map(({ x }) => widthOf(shortName(x))));
  const tight = plot > 0 && longest > plot / model.points.length;
  const byName = areNames(model.points);
  const tilted = (model.type === "bar" || byName) && (many || (byName && tight)) && model.points.length <= TILTED_UP_TO;
  const tilt = tiltOf(model.points.length, plot);
  // Of shares the part is what is written already.
  const adds = model.looks[0]?.unit === "money" || model.looks[0]?.unit === "plain";
  const narrow = width > 0 && width < NARROW_PX;
  const total = model.points.reduce((sum, point) => sum + Math.max(0, point.y[0] ?? 0), 0);
  const zoomed = zooms && !printing && model.type !== "pie" && model.points.length >= ZOOMED_FROM;
  const nameBelow = {
    value: model.x,
    position: "insideBottom",
    offset: zoomed ? 8 : 0,
    fontSize: 12,
    fill: "var(--text-2)",
  } as const;
  const nameBeside = (title: string, isRight = false) =>
    title
      ? ({
          value: shortName(title, 28),
          angle: -90,
          position: isRight ? "insideRight" : "insideLeft",
          dx: isRight ? -4 : 4,
          style: TITLE,
        } as const)
      : undefined;
  const axis = (
    <XAxis
      dataKey={(point: Point) => point.x}
      tick={TICK}
      tickLine={false}
      axisLine={{ stroke: "var(--line-2)" }}
      tickFormatter={(value: unknown) => shortName(value)}
      minTickGap={4}
      {...(tilted
        ? { ...tilt, textAnchor: "end" }
        : { interval: model.type === "bar" && !many ? 0 : "equidistantPreserveStart", height: zoomed ? 54 : 44 })}
      label={nameBelow}
    />
  );
  const stacks = stacked ? "all" : undefined;
  const scale = scales.map(({ points, writer, title }, place) => {
    const held = goal !== null && !place ? [...points, { x: "", y: [goal] }] : points;
    const ticks = ticksOf(held, stacked && (model.type === "bar" || model.type === "area"));
    return (
      <YAxis
        key={place}
        yAxisId={place}
        orientation={place ? "right" : "left"}
        {...(!whole && { ticks, domain: [ticks[0]!, ticks.at(-1)!] })}
        tick={TICK}
        tickLine={false}
        axisLine={false}
        tickFormatter={(value: number) => (whole ? formatShare(value, language) : writer.short(value))}
        width={title ? TITLED_PX : UNTITLED_PX}
        label={nameBeside(title, place > 0)}
      />
    );
  });
  const margin = { top: 18, right: 28, bottom: 4, left: 0 };
  const shared = {
    data: model.points,
    margin,
    accessibilityLayer: false,
    ...(whole && { stackOffset: "expand" as const }),
  };

  // On each other the parts of an open period would not meet those before it: what leads there is drawn pale instead.
  const firstOpen = model.open.indexOf(true);
  const pale = stacks && model.type === "area" && firstOpen > 0 && (
    <ReferenceArea
      x1={model.points[firstOpen - 1]!.x}
      x2={model.points.at(-1)!.x}
      fill="var(--surface)"
      fillOpacity={0.6}
      stroke="var(--line-2)"
      strokeDasharray={DASHES}
      zIndex={500}
    />
  );
  const isOpen = (point: Point) => model.open[model.points.indexOf(point)] ?? false;
  const goalLine = goal !== null && !whole && (
    <ReferenceLine
      y={goal}
      yAxisId={0}
      stroke="var(--text)"
      strokeDasharray="6 4"
      zIndex={600}
      label={{ value: t.chart.goalAt(one.short(goal)), position: "insideBottomLeft", style: HALO }}
    />
  );
  const zoom = zoomed && (
    <Brush
      dataKey="x"
      height={BRUSH_PX}
      travellerWidth={8}
      stroke="var(--text-2)"
      fill="var(--surface)"
      tickFormatter={(value: unknown) => shortName(value)}
      ariaLabel={t.chart.zoom}
    />
  );
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
                yAxisId: scaleOf(place),
                stroke: colour(place),
                strokeWidth: compares(place) ? 1.5 : 2,
                ...(compares(place) && { strokeDasharray: "3 3" }),
                isAnimationActive: false,
                connectNulls: true,
              };
              const dot = model.points.length <= 24 ? { r: 2.5, strokeDasharray: "none" } : false;
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
                  strokeDasharray={DASHES}
                  dot={dot}
                  dataKey={leadsOn}
                  legendType="none"
                />
              );
              return [whole, dashed];
            })}
            {goalLine}
            {zoom}
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
                yAxisId: scaleOf(place),
                stroke: colour(place),
                fill: colour(place),
                strokeWidth: 2,
                isAnimationActive: false,
              };
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
                  fillOpacity={0.07}
                  strokeDasharray={DASHES}
                  dataKey={leadsOn}
                  legendType="none"
                />,
              ];
            })}
            {pale}
            {goalLine}
            {zoom}
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
                const part = total && adds ? ` · ${formatShare(value / total, language, 1, 1)}` : "";
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
            <Legend
              iconType="circle"
              iconSize={8}
              itemSorter={null}
              layout="vertical"
              align={narrow ? "center" : "right"}
              verticalAlign={narrow ? "bottom" : "middle"}
            />
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
              tickFormatter={(value: number) => beside.short(value)}
              domain={["auto", "auto"]}
              axisLine={{ stroke: "var(--line-2)" }}
              height={44}
              label={nameBelow}
            />
            <YAxis
              type="number"
              dataKey={(point: Point) => point.y[0]}
              name={model.names[0]}
              tick={TICK}
              tickLine={false}
              axisLine={false}
              tickFormatter={(value: number) => one.short(value)}
              width={TITLED_PX}
              domain={["auto", "auto"]}
              label={nameBeside(model.names[0] ?? "")}
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
                yAxisId={scaleOf(place)}
                dataKey={(point: Point) => point.y[place]}
                fill={colour(place)}
                fillOpacity={compares(place) ? 0.45 : 1}
                radius={stacks ? 0 : [4, 4, 0, 0]}
                maxBarSize={56}
                stackId={stacks}
                isAnimationActive={false}
              >
                {labelled && (
                  <LabelList
                    position="top"
                    fontSize={11}
                    fill="var(--text-2)"
                    formatter={(value: unknown) => (typeof value === "number" ? labels[place]!(value) : "")}
                  />
                )}
                {model.open.some(Boolean) &&
                  model.points.map((point, at) => (
                    <Slice
                      key={at}
                      fill={colour(place)}
                      {...(isOpen(point) ? { fillOpacity: 0.3, stroke: colour(place), strokeDasharray: DASHES } : {})}
                    />
                  ))}
              </Bar>
            ))}
            {goalLine}
            {zoom}
          </BarChart>
        );
    }
  };
  return (
    <ResponsiveContainer
      width={printing ? PAPER_PX : "100%"}
      height={model.type === "pie" && narrow ? PIE_PX + model.points.length * PIE_NAME_PX : height}
      onResize={setMeasured}
    >
      {chart()}
    </ResponsiveContainer>
  );
}
