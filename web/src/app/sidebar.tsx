import { useRef, useState, type KeyboardEvent } from "react";
import { patch, remove } from "../api/client";
import type { Thread } from "../api/types";
import { useText } from "../i18n";
import { ButtonLink, IconButton } from "../ui/button";
import { classes } from "../ui/dressed";
import { closeInto } from "../ui/focus";
import { FormDialog } from "../ui/form_dialog";
import { Icon, type IconName } from "../ui/icons";
import { Menu } from "../ui/menu";
import { useAttempt } from "../ui/notice";
import { SearchBox } from "../ui/search_box";
import { Text } from "../ui/text";
import { useIdentity, useMay } from "./identity";
import { Choices } from "./choices";
import { go, Link, useRoute } from "./route";
import { useWorld } from "./world";
import { Brand } from "./brand";
import styles from "./sidebar.module.css";

const AREAS: [
  path: string,
  key: "saved" | "data" | "knowledge" | "analysts" | "reports" | "settings",
  icon: IconName,
][] = [
  ["saved", "saved", "star"],
  ["data", "data", "data"],
  ["knowledge", "knowledge", "book"],
  ["analysts", "analysts", "person"],
  ["reports", "reports", "report"],
  ["settings", "settings", "gear"],
];

export function Sidebar({ className, onGo }: { className?: string; onGo: () => void }) {
  const t = useText();
  const [area = ""] = useRoute();
  const may = useMay();
  return (
    <nav
      className={classes(styles.sidebar, className)}
      aria-label={t.app.menu}
      onClick={(event) => (event.target as HTMLElement).closest("a") && onGo()}
    >
      <Brand size={26} />
      <ButtonLink as={Link} href="/" kind="primary" wide aria-current={area === "" ? "page" : undefined}>
        <Icon name="plus" size={16} />
        <span>{t.nav.ask}</span>
      </ButtonLink>
      <ul className={styles.areas}>
        {AREAS.filter(([path]) => path !== "reports" || may("reports")).map(([path, key, icon]) => (
          <li key={path}>
            <Link href={`/${path}`} aria-current={area === path ? "page" : undefined}>
              <Icon name={icon} />
              <span>{t.nav[key]}</span>
            </Link>
          </li>
        ))}
      </ul>
      <Threads />
      <Account />
      <Choices />
    </nav>
  );
}

/** Who is signed in, and the way out; a server that asks nobody has nobody to name. */
function Account() {
  const t = useText();
  const { me, signOut } = useIdentity();
  if (me.mode !== "users") return null;
  return (
    <div className={styles.account}>
      <Link href="/settings/general" title={t.settings.roles[me.role] ?? me.role}>
        <Icon name="person" size={16} />
        <span>{me.name}</span>
      </Link>
      <IconButton icon="exit" size={16} label={t.login.signOut} onClick={signOut} />
    </div>
  );
}

const DAY = 86_400_000;

function Threads() {
  const t = useText();
  const { threads } = useWorld();
  const [words, setWords] = useState("");
  const [area, current] = useRoute();
  const list = useRef<HTMLDivElement>(null);
  const found = threads.filter((thread) => thread.title.toLowerCase().includes(words.trim().toLowerCase()));
  // One stop for the Tab key, however many there are: arrows walk up and down, and to the actions of a line and back.
  const stop = found.find((thread) => area === "t" && thread.id === current)?.id ?? ordered(found)[0]?.id;
  const walk = (event: KeyboardEvent) => {
    const at = event.target as HTMLElement;
    if (at.closest("[role=menu], form, dialog")) return;
    const links = [...(list.current?.querySelectorAll<HTMLElement>("li > a") ?? [])];
    const here = links.findIndex((link) => link.parentElement === at.closest("li"));
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const aside = event.key === "ArrowRight" ? "[aria-haspopup]" : event.key === "ArrowLeft" ? "a" : "";
    if (here < 0 || (!step && !aside)) return;
    event.preventDefault();
    const next = step ? links[here + step] : links[here]!.parentElement!.querySelector<HTMLElement>(aside);
    next?.focus();
  };
  const midnight = new Date().setHours(0, 0, 0, 0);
  const age = (thread: Thread) => {
    const at = new Date(thread.changed).getTime();
    return at >= midnight ? "today" : at >= midnight - DAY ? "yesterday" : at >= midnight - 6 * DAY ? "week" : "older";
  };
  const groups = (["today", "yesterday", "week", "older"] as const).map((name) => ({
    name,
    threads: found.filter((thread) => age(thread) === name),
  }));
  return (
    <section className={styles.threads} aria-label={t.nav.threads}>
      <SearchBox label={t.nav.searchThreads} value={words} onText={setWords} />
      <div className={styles.threadGroups} ref={list} onKeyDown={walk}>
        {!found.length && (
          <Text muted small>
            {threads.length ? t.nav.noMatch : t.nav.noThreads}
          </Text>
        )}
        {groups.map(
          (group) =>
            group.threads.length > 0 && (
              <div key={group.name}>
                <h2>{t.nav[group.name]}</h2>
                <ul>
                  {group.threads.map((thread) => (
                    <ThreadLine
                      key={thread.id}
                      thread={thread}
                      current={area === "t" && current === thread.id}
                      isStop={thread.id === stop}
                    />
                  ))}
                </ul>
              </div>
            ),
        )}
      </div>
    </section>
  );
}

/** The newest first, as they are grouped. */
const ordered = (threads: Thread[]): Thread[] => [...threads].sort((a, b) => b.changed.localeCompare(a.changed));

function ThreadLine({ thread, current, isStop }: { thread: Thread; current: boolean; isStop: boolean }) {
  const t = useText();
  const { reload, connections } = useWorld();
  const attempt = useAttempt();
  // Where there is one database, its name under every title would say nothing.
  const place = connections.length > 1 && connections.find((each) => each.id === thread.connection_id)?.name;
  const [renaming, setRenaming] = useState(false);
  const [title, setTitle] = useState(thread.title);
  const [removing, setRemoving] = useState(false);
  const line = useRef<HTMLLIElement>(null);
  const link = () => line.current?.querySelector("a");
  const rename = async () => {
    setRenaming(false);
    if (title.trim() && title !== thread.title)
      await attempt(() =>
        patch("/threads/{thread_id}", { path: { thread_id: thread.id }, body: { title: title.trim() } }),
      );
    await reload.threads();
  };
  const forget = async () => {
    await remove("/threads/{thread_id}", { path: { thread_id: thread.id } });
    if (current) go("/");
    await reload.threads();
  };
  return (
    <li className={styles.thread} ref={line}>
      {renaming ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            closeInto(() => void rename(), link);
          }}
        >
          <input
            autoFocus
            aria-label={t.nav.newTitle}
            value={title}
            maxLength={200}
            onChange={(event) => setTitle(event.target.value)}
            onBlur={() => void rename()}
            onKeyDown={(event) => {
              if (event.key === "Escape") closeInto(() => setRenaming(false), link);
            }}
          />
        </form>
      ) : (
        <>
          <Link
            href={`/t/${encodeURIComponent(thread.id)}`}
            aria-current={current ? "page" : undefined}
            tabIndex={isStop ? 0 : -1}
            title={place ? `${thread.title} · ${place}` : thread.title}
          >
            {thread.title || "…"}
            {place && <small>{place}</small>}
          </Link>
          <Menu
            tabIndex={-1}
            label={t.nav.threadMenu(thread.title)}
            items={[
              { label: t.app.rename, icon: "edit", onSelect: () => setRenaming(true) },
              { label: t.app.remove, icon: "trash", danger: true, onSelect: () => setRemoving(true) },
            ]}
          >
            <Icon name="more" size={16} />
          </Menu>
        </>
      )}
      {removing && (
        <FormDialog danger title={t.app.sure} action={t.app.remove} onClose={() => setRemoving(false)} onSend={forget}>
          <p>{thread.title}</p>
        </FormDialog>
      )}
    </li>
  );
}
