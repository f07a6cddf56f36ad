import { get, post, remove } from "../api/client";
import type { Report } from "../api/types";
import { useMay } from "../app/identity";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { go, Link, useTitle } from "../app/route";
import { useText } from "../i18n";
import { formatMoment } from "../i18n/format";
import { Badge } from "../ui/badge";
import { Button, ButtonLink } from "../ui/button";
import { Cards, EntryCard } from "../ui/card";
import { Problem, useAttempt } from "../ui/notice";
import { Page, Stack } from "../ui/page";
import { PageHead } from "../ui/page_head";
import { RemoveButton } from "../ui/remove_button";
import { Row } from "../ui/row";
import { Text, VisuallyHidden } from "../ui/text";
import { NewReport } from "./new_report";
import { ReportView } from "./report_view";
import styles from "./reports.module.css";

/** Reports: the list, and one of them. */
export default function ReportsPage({ report, run }: { report?: string; run?: string }) {
  const t = useText();
  useTitle(t.reports.title);
  return (
    <Page wide>
      {report === "new" ? <NewReport /> : report ? <ReportView key={report} id={report} runId={run} /> : <List />}
    </Page>
  );
}

function List() {
  const t = useText();
  const { language } = usePreferences();
  const may = useMay();
  const attempt = useAttempt();
  const found = useLoad(may("reports") ? "reports" : null, () => get("/reports"));
  const begin = async (template: string) => {
    await attempt(async () => {
      const name = t.reports.library[template]?.title ?? template;
      const made = await post("/reports", { body: { name, template, filename: "report.md" } });
      go(`/reports/${made.id}`);
    });
  };
  const forget = async (report: Report) => {
    await remove("/reports/{report_id}", { path: { report_id: report.id } });
    await found.reload();
  };
  return (
    <>
      <PageHead title={t.reports.title} lead={t.reports.lead}>
        {may("reports") && (
          <Button kind="primary" icon="plus" onClick={() => go("/reports/new")}>
            {t.reports.add}
          </Button>
        )}
      </PageHead>
      {found.error && <Problem error={found.error} onRetry={found.reload} />}
      <Stack>
        <VisuallyHidden as="h2">{t.reports.title}</VisuallyHidden>
        <Cards>
          {found.data?.reports.map((report) => (
            <EntryCard key={report.id}>
              <div>
                <h3>
                  <Link href={`/reports/${report.id}`}>{report.name}</Link>
                </h3>
                <Row>
                  <Badge>{report.format}</Badge>
                  <Text as="span" muted small>
                    {formatMoment(report.changed, language)}
                  </Text>
                </Row>
              </div>
              <Row>
                <ButtonLink as={Link} href={`/reports/${report.id}`}>
                  {t.reports.view}
                </ButtonLink>
                <RemoveButton what={report.name} onRemove={() => forget(report)} />
              </Row>
            </EntryCard>
          ))}
        </Cards>
        {found.data && !found.data.reports.length && <Text muted>{t.reports.empty}</Text>}
        {found.data && (
          <section aria-label={t.reports.templates}>
            <h2>{t.reports.templates}</h2>
            <ul className={styles.templates}>
              {found.data.templates.map((template) => (
                <li key={template}>
                  <button type="button" onClick={() => void begin(template)}>
                    <b>{t.reports.library[template]?.title ?? template}</b>
                    <small>{t.reports.library[template]?.about}</small>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </Stack>
    </>
  );
}
