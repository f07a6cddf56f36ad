import { Fragment } from "react";
import type { Sketch } from "../api/types";
import { useText } from "../i18n";
import { Icon } from "../ui/icons";
import { Warnings } from "../ui/lists";
import { TableFrame } from "../ui/table_frame";
import { Text } from "../ui/text";
import styles from "./reports.module.css";

type Block = Sketch["blocks"][number];
type Run = Block["runs"][number];

const WAITING = /^… /;

/** A template as the document it will be; where a run will put something stands what it will ask. */
export function DocumentSketch({ sketch }: { sketch: Sketch | undefined }) {
  const t = useText();
  return (
    <section className={styles.sketch} aria-label={t.reports.preview} tabIndex={0}>
      {sketch && sketch.problems.length > 0 && (
        <Warnings aria-label={t.chat.warnings}>
          {sketch.problems.map((problem, place) => (
            <li key={place}>
              <Icon name="alert" size={14} /> {problem.line > 0 && t.reports.line(problem.line)} {problem.message}
            </li>
          ))}
        </Warnings>
      )}
      {!sketch?.blocks.length && <Text muted>{t.reports.previewEmpty}</Text>}
      {sketch?.blocks.map((block, place) => (
        <SketchBlock key={place} block={block} />
      ))}
    </section>
  );
}

function SketchBlock({ block }: { block: Block }) {
  const runs = block.runs.map((run, place) => <SketchRun key={place} run={run} />);
  switch (block.kind) {
    case "heading": {
      // The page has a first heading of its own.
      const Heading = `h${Math.min(6, block.level + 1)}` as "h2";
      return (
        <Heading className={styles.heading} data-level={block.level}>
          {runs}
        </Heading>
      );
    }
    case "item":
      return (
        <p className={styles.item}>
          <span aria-hidden="true">{block.number ? `${block.number}.` : "•"}</span> <span>{runs}</span>
        </p>
      );
    case "quote":
      return <blockquote>{runs}</blockquote>;
    case "code":
      return <pre>{runs}</pre>;
    case "rule":
      return <hr />;
    case "table":
      return (
        <TableFrame className={styles.sketched}>
          <table>
            <tbody>
              {block.rows.map((row, line) => (
                <tr key={line}>
                  {row.map((cell, place) =>
                    line ? (
                      <td key={place}>
                        <SketchCell text={cell} />
                      </td>
                    ) : (
                      <th key={place}>{cell}</th>
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      );
    default:
      return <p>{runs}</p>;
  }
}

/** A cell is plain text; one that will be asked for begins with the same mark as a run. */
function SketchCell({ text }: { text: string }) {
  const asked = WAITING.test(text);
  return asked ? <span className={styles.asked}>{text.replace(WAITING, "")}</span> : text;
}

function SketchRun({ run }: { run: Run }) {
  if (run.waiting) return <span className={styles.asked}>{run.text.replace(WAITING, "")}</span>;
  if (run.problem) return <span className={styles.problem}>{run.text}</span>;
  if (run.code) return <code>{run.text}</code>;
  const words = run.italic ? <em>{run.text}</em> : <Fragment>{run.text}</Fragment>;
  return run.bold ? <strong>{words}</strong> : words;
}
