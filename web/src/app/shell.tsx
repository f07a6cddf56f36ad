import { lazy, Suspense, useState } from "react";
import { ChatPage } from "../chat/chat_page";
import { DroppedFile } from "../connections/dropped_file";
import { useText } from "../i18n";
import { ButtonLink, IconButton, IconPlace } from "../ui/button";
import { classes } from "../ui/dressed";
import { Notices, Problem } from "../ui/notice";
import { Page } from "../ui/page";
import { PageHead } from "../ui/page_head";
import { useMay } from "./identity";
import { Link, useRoute } from "./route";
import { Sidebar } from "./sidebar";
import { useWorld } from "./world";
import { Brand } from "./brand";
import styles from "./shell.module.css";

const SharedPage = lazy(() => import("../chat/shared_page"));
const SavedPage = lazy(() => import("../knowledge/saved_page"));
const DataPage = lazy(() => import("../schema/data_page"));
const KnowledgePage = lazy(() => import("../knowledge/knowledge_page"));
const AnalystsPage = lazy(() => import("../knowledge/analysts_page"));
const ReportsPage = lazy(() => import("../reports/reports_page"));
const SettingsPage = lazy(() => import("../settings/settings_page"));

export function Shell() {
  const t = useText();
  const route = useRoute();
  const place = route.join("/");
  const { error, ready, reload } = useWorld();
  const [open, setOpen] = useState(false);
  const [last, setLast] = useState(place);
  if (last !== place) {
    setLast(place);
    setOpen(false);
  }
  return (
    <div className={classes(styles.shell, open && styles.open)}>
      <a className={styles.skip} href="#main">
        {t.app.skip}
      </a>
      <Sidebar className={styles.sidebar} onGo={() => setOpen(false)} />
      {open && <button type="button" className={styles.veil} aria-label={t.app.close} onClick={() => setOpen(false)} />}
      <div className={styles.column}>
        <header className={styles.topbar}>
          <IconButton icon="menu" label={t.app.menu} aria-expanded={open} onClick={() => setOpen(!open)} />
          <Brand size={22} />
          <IconPlace as={Link} href="/" aria-label={t.nav.ask}>
            +
          </IconPlace>
        </header>
        <main id="main" className={styles.main} tabIndex={-1}>
          {error && !ready ? (
            <Page>
              <Problem error={error} onRetry={() => void reload.connections()} />
            </Page>
          ) : (
            <Suspense
              fallback={
                <Page as="p" muted>
                  {t.app.loading}
                </Page>
              }
            >
              <Area route={route} />
            </Suspense>
          )}
        </main>
      </div>
      <DroppedFile />
      <Notices />
    </div>
  );
}

/** What an address needs; who may not is told so instead of being shown a form that can only fail. */
function rightFor(area: string, part: string | undefined): string | null {
  if (area === "reports") return "reports";
  return area === "data" && part === "new" ? "connections" : null;
}

function Area({ route: [area = "", ...rest] }: { route: string[] }) {
  const t = useText();
  const may = useMay();
  const needed = rightFor(area, rest[0]);
  if (needed && !may(needed))
    return (
      <Page>
        <PageHead title={t.errors.next.forbidden ?? ""} />
        <ButtonLink as={Link} href="/">
          {t.app.home}
        </ButtonLink>
      </Page>
    );
  switch (area) {
    case "":
      return <ChatPage threadId="" />;
    case "t":
      return <ChatPage threadId={rest[0] ?? ""} />;
    case "shared":
      return <SharedPage share={rest[0] ?? ""} />;
    case "saved":
      return <SavedPage />;
    case "data":
      return <DataPage connection={rest[0]} table={rest[1]} />;
    case "knowledge":
      return <KnowledgePage section={rest[0]} />;
    case "analysts":
      return <AnalystsPage />;
    case "reports":
      return <ReportsPage report={rest[0]} run={rest[1]} />;
    case "settings":
      return <SettingsPage section={rest[0]} />;
    default:
      return (
        <Page>
          <PageHead title={t.app.notFound} />
          <ButtonLink as={Link} href="/">
            {t.app.home}
          </ButtonLink>
        </Page>
      );
  }
}
