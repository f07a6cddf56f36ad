import { useMemo, useState } from "react";
import type { Join, TableInfo } from "../api/types";
import { usePreferences } from "../app/preferences";
import { useText } from "../i18n";
import { formatShort } from "../i18n/format";
import { Button } from "../ui/button";
import { classes } from "../ui/dressed";
import { Check } from "../ui/form";
import { Row, Spring } from "../ui/row";
import { HEIGHT, layout, LINE } from "./layout";
import styles from "./diagram.module.css";

export const MOST_DRAWN = 120;
const EDGE = 16;
const LOOP = 28;
const PHONE = 700;

/** Tables and joins as a picture; a table that is chosen shows its own joins in colour. */
export function Diagram({
  tables,
  joins,
  chosen,
  onChoose,
}: {
  tables: TableInfo[];
  joins: Join[];
  chosen?: string;
  onChoose: (name: string) => void;
}) {
  const t = useText();
  const { language } = usePreferences();
  // Fitted into a phone nobody could read it: there it is drawn whole, to be moved about.
  const [zoom, setZoom] = useState<number | null>(() => (window.innerWidth < PHONE ? 1 : null));
  const [whole, setWhole] = useState(false);
  const shown = useMemo(() => tables.slice(0, MOST_DRAWN), [tables]);
  const drawn = useMemo(() => {
    const columns = new Map(shown.map((table) => [table.name, table.column_names.map((column) => column.name)]));
    return layout(
      shown.map((table) => table.name),
      joins,
      whole ? (name) => columns.get(name) ?? [] : undefined,
    );
  }, [shown, joins, whole]);
  const about = new Map(shown.map((table) => [table.name, table]));
  const [width, height] = [drawn.width + 2 * EDGE + LOOP, drawn.height + 2 * EDGE];
  const now = zoom ?? 1;
  return (
    <div className={styles.diagram}>
      <Row end>
        <Check>
          <input type="checkbox" checked={whole} onChange={(event) => setWhole(event.target.checked)} />
          <span>{t.data.allColumns}</span>
        </Check>
        <Spring />
        <Button kind="quiet" onClick={() => setZoom(Math.max(0.3, now / 1.25))} aria-label={t.data.zoomOut}>
          −
        </Button>
        <Button kind="quiet" onClick={() => setZoom(null)}>
          {t.data.fit}
        </Button>
        <Button kind="quiet" onClick={() => setZoom(Math.min(3, now * 1.25))} aria-label={t.data.zoomIn}>
          +
        </Button>
      </Row>
      <div className={styles.diagramFrame} tabIndex={0} role="region" aria-label={t.data.diagramOf(shown.length)}>
        <svg
          viewBox={`${-EDGE} ${-EDGE} ${width} ${height}`}
          style={zoom === null ? { width: "100%", maxHeight: "66dvh" } : { width: width * now, height: height * now }}
        >
          {drawn.lines.map((line, place) => (
            <path
              key={place}
              d={line.path}
              className={classes(
                styles.join,
                !line.declared && styles.inferred,
                (chosen === line.from || chosen === line.to) && styles.near,
              )}
            >
              <title>{`${line.from} → ${line.to}: ${line.label}`}</title>
            </path>
          ))}
          {drawn.boxes.map((box) => (
            <g
              key={box.name}
              transform={`translate(${box.x} ${box.y})`}
              className={classes(styles.box, chosen === box.name && styles.chosen)}
            >
              {/* The button is the frame alone: with its columns inside, its name would have to list them all. */}
              <rect
                width={box.width}
                height={box.height}
                rx="9"
                role="button"
                tabIndex={0}
                aria-label={box.name}
                onClick={() => onChoose(box.name)}
                onKeyDown={(event) => (event.key === "Enter" || event.key === " ") && onChoose(box.name)}
              />
              <text x="14" y="24" className={styles.name}>
                {box.name.length > 20 ? `${box.name.slice(0, 19)}…` : box.name}
              </text>
              <text x="14" y="43" className={styles.rows}>
                {t.answer.columns(String(about.get(box.name)?.columns ?? 0))}
                {about.get(box.name)?.rows != null
                  ? ` · ${t.data.rows(formatShort(about.get(box.name)!.rows!, language))}`
                  : ""}
              </text>
              {box.keys.map((key, place) => (
                <text key={key} x="14" y={HEIGHT + (place + 0.5) * LINE - 2} className={styles.rows}>
                  {key.length > 24 ? `${key.slice(0, 23)}…` : key}
                </text>
              ))}
              {box.more > 0 && (
                <text x="14" y={HEIGHT + (box.keys.length + 0.5) * LINE - 2} className={styles.rows}>
                  {t.data.moreColumns(box.more)}
                </text>
              )}
            </g>
          ))}
        </svg>
      </div>
    </div>
  );
}
