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
import { formatNumber, formatShort } from "../i18n/format";
import type { ChartModel, Point } from "./model";

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

export default function Drawing({ model, height = 300 }: { model: ChartModel; height?: number }) {
  const { language } = usePreferences();
  const short = (value: number) => formatShort(value, language);
  const full = (value: unknown) => (typeof value === "number" ? formatNumber(value, language) : String(value));
  const name = (value: unknown) => {
    const text = String(value);
    return text.length > 14 ? `${text.slice(0, 13)}…` : text;
  };
  const grid = <CartesianGrid vertical={false} stroke="var(--line)" />;
  const tooltip = (
    <Tooltip
      cursor={{ fill: "var(--hover)", stroke: "var(--line-2)" }}
      formatter={full}
      isAnimationActive={false}
      wrapperClassName="chart-tip"
    />
  );
  const legend = model.names.length > 1 ? <Legend iconType="circle" iconSize={8} /> : null;
  const many = model.points.length > ROTATED_ABOVE;
  const axis = (
    <XAxis
      dataKey={(point: Point) => point.x}
      tick={TICK}
      tickLine={false}
      axisLine={{ stroke: "var(--line-2)" }}
      tickFormatter={name}
      minTickGap={many ? 16 : 4}
      interval={model.type === "bar" && !many ? 0 : "preserveStartEnd"}
    />
  );
  const scale = <YAxis tick={TICK} tickLine={false} axisLine={false} tickFormatter={short} width={54} />;
  const margin = { top: 12, right: 16, bottom: 4, left: 0 };
  const shared = { data: model.points, margin, accessibilityLayer: false };

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
            {model.names.map((series, place) => (
              <Line
                key={place}
                name={series}
                dataKey={(point: Point) => point.y[place]}
                stroke={colour(place)}
                strokeWidth={2}
                dot={model.points.length <= 24 ? { r: 2.5 } : false}
                isAnimationActive={false}
                connectNulls
              />
            ))}
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
            {model.names.map((series, place) => (
              <Area
                key={place}
                name={series}
                dataKey={(point: Point) => point.y[place]}
                stroke={colour(place)}
                fill={colour(place)}
                fillOpacity={0.18}
                strokeWidth={2}
                stackId={model.stacked ? "all" : undefined}
                isAnimationActive={false}
              />
            ))}
          </AreaChart>
        );
      case "pie":
        return (
          <PieChart accessibilityLayer={false}>
            {tooltip}
            <Pie
              data={model.points}
              nameKey={(point: Point) => String(point.x)}
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
                radius={model.stacked ? 0 : [4, 4, 0, 0]}
                maxBarSize={56}
                stackId={model.stacked ? "all" : undefined}
                isAnimationActive={false}
              />
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
