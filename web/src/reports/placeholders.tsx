import { get, post } from "../api/client";
import { SqlEditor } from "../answer/sql_editor";
import { spread } from "../answer/sql_text";
import { useLoad } from "../app/load";
import { useText } from "../i18n";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { Card, Cards } from "../ui/card";
import { Problem, useAttempt } from "../ui/notice";
import { Row } from "../ui/row";
import styles from "./reports.module.css";

/** The questions of a report with the statements they are bound to; a person pins or rejects them. */
export function Placeholders({ report }: { report: string }) {
  const t = useText();
  const attempt = useAttempt();
  const found = useLoad(`placeholders ${report}`, () =>
    get("/reports/{report_id}/placeholders", { path: { report_id: report } }),
  );
  const decide = async (key: string, decision: "pin" | "unpin" | "reject") => {
    await attempt(() =>
      post("/reports/{report_id}/placeholders/{key}", { path: { report_id: report, key }, body: { decision } }),
    );
    await found.reload();
  };
  if (found.error) return <Problem error={found.error} onRetry={found.reload} />;
  return (
    <Cards>
      {found.data?.map((place) => (
        <Card as="li" key={place.key} className={styles.value}>
          <h2>
            {place.title} <Badge>{t.reports.states[place.state] ?? place.state}</Badge>
          </h2>
          {place.sql && (
            <>
              <SqlEditor readOnly value={spread(place.sql)} label={t.app.colon(t.answer.sql) + place.title} />
              <Row>
                <Button icon="pin" onClick={() => decide(place.key, place.state === "pinned" ? "unpin" : "pin")}>
                  {place.state === "pinned" ? t.reports.unpin : t.reports.pin}
                </Button>
                <Button kind="quiet" onClick={() => decide(place.key, "reject")}>
                  {t.reports.reject}
                </Button>
              </Row>
            </>
          )}
        </Card>
      ))}
    </Cards>
  );
}
