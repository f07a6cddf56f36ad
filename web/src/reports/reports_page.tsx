import { get, post, remove } from "../api/client";
import type { Report } from "../api/types";
import { useMay } from "../app/identity";
import { useLoad } from "../app/load";
import { usePreferences } from "../app/preferences";
import { go, Link, useTitle } from "../app/route";
import { useText } from "../i18n";
import { formatMoment } from "../i18n/format";
import { Button } from "../ui/button";
import { Problem, useAttempt } from "../ui/notice";
import { PageHead } from "../ui/page_head";
import { RemoveButton } from "../ui/remove_button";
import { NewReport } from "./new_report";
import { ReportView } from "./report_view";
import styles from "./reports.module.css";

/** Reports: the list, and one of them. */
export default function ReportsPage({ report, run }: { report?: string; run?: string }) {
  const t = useText();
  useTitle(t.reports.title);
  return (
    <div className="page wide">
      {report === "new" ? <NewReport /> : report ? <ReportView key={report} id={report} runId={run} /> : <List />}
    </div>
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
      <div className="stack">
        <h2 className="visually-hidden">{t.reports.title}</h2>
        <ul className="cards">
          {found.data?.reports.map((report) => (
            <li key={report.id} className="card entry">
              <div>
                <h3>
                  <Link href={`/reports/${report.id}`}>{report.name}</Link>
                </h3>
                <div className="row">
                  <span className="badge">{report.format}</span>
                  <span className="muted small">{formatMoment(report.changed, language)}</span>
                </div>
              </div>
              <div className="row">
                <Link href={`/reports/${report.id}`} className="button plain">
                  {t.reports.view}
                </Link>
                <RemoveButton what={report.name} onRemove={() => forget(report)} />
              </div>
            </li>
          ))}
        </ul>
        {found.data && !found.data.reports.length && <p className="muted">{t.reports.empty}</p>}
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
      </div>
    </>
  );
}
