import { patch, remove } from "../api/client";
import type { Saved } from "../api/types";
import { go, useTitle } from "../app/route";
import { useWorld } from "../app/world";
import { useText } from "../i18n";
import { Badge } from "../ui/badge";
import { Button, IconButton } from "../ui/button";
import { Cards, EntryCard } from "../ui/card";
import { useAttempt } from "../ui/notice";
import { Page } from "../ui/page";
import { PageHead } from "../ui/page_head";
import { RemoveButton } from "../ui/remove_button";
import { Row } from "../ui/row";
import { Empty } from "../ui/text";

/** Questions to ask again; pinned ones also stand on the start page. */
export default function SavedPage() {
  const t = useText();
  const world = useWorld();
  const attempt = useAttempt();
  useTitle(t.saved.title);
  const change = async (saved: Saved, part: { pinned: boolean } | { shared: boolean }) => {
    await attempt(() => patch("/saved/{saved_id}", { path: { saved_id: saved.id }, body: part }));
    await world.reload.saved();
  };
  const forget = async (saved: Saved) => {
    await remove("/saved/{saved_id}", { path: { saved_id: saved.id } });
    await world.reload.saved();
  };
  const ask = (saved: Saved) => {
    world.chooseConnection(saved.connection_id);
    go("/", { ask: saved.question });
  };
  const name = (id: string) => world.connections.find((each) => each.id === id)?.name ?? id;
  return (
    <Page>
      <PageHead title={t.saved.title} lead={t.saved.lead} />
      {!world.saved.length && <Empty>{t.saved.empty}</Empty>}
      <Cards>
        {world.saved.map((saved) => (
          <EntryCard key={saved.id}>
            <div>
              <h2>{saved.title || saved.question}</h2>
              <Row>
                <Badge>{name(saved.connection_id)}</Badge>
                {saved.shared && <Badge>{t.saved.shared}</Badge>}
              </Row>
            </div>
            <Row>
              <Button icon="send" onClick={() => ask(saved)} aria-label={t.app.colon(t.saved.ask) + saved.question}>
                {t.saved.ask}
              </Button>
              {saved.mine && (
                <>
                  <IconButton
                    icon="pin"
                    aria-pressed={saved.pinned}
                    label={saved.pinned ? t.saved.unpin : t.saved.pin}
                    onClick={() => void change(saved, { pinned: !saved.pinned })}
                  />
                  <IconButton
                    icon="share"
                    aria-pressed={saved.shared}
                    label={saved.shared ? t.chat.unshare : t.saved.share}
                    onClick={() => void change(saved, { shared: !saved.shared })}
                  />
                  <RemoveButton what={saved.question} onRemove={() => forget(saved)} />
                </>
              )}
            </Row>
          </EntryCard>
        ))}
      </Cards>
    </Page>
  );
}
