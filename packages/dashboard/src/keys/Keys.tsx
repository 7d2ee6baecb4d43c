import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import type { ApiKey } from "../data/keys.ts";
import { useMay } from "../data/live/session.ts";
import { Button } from "../parts/Button.tsx";
import { type Command, useCommands } from "../parts/commands.ts";
import { Icon } from "../parts/Icon.tsx";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { useSteps } from "../parts/steps.ts";
import { Tabs } from "../parts/Tabs.tsx";
import { KeyList } from "./KeyList.tsx";
import { SessionList } from "./SessionList.tsx";

const CreateKey = lazily(() => import("./CreateKey.tsx"), "CreateKey");
const RevokeKey = lazily(() => import("./RevokeKey.tsx"), "RevokeKey");

const section = "Keys and sessions";

/** Clicks the button that revokes the focused key or ends the focused session. */
const end = () =>
  document.activeElement
    ?.closest("[data-row]")
    ?.querySelector<HTMLButtonElement>("button[data-end]")
    ?.click();

/** The API keys and the browser sessions. */
export const Keys = () => {
  const { view = "keys" } = useSearch({ from: "/keys" });
  const navigate = useNavigate();
  const mayManage = useMay("Admin");
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const show = (next: "keys" | "sessions") =>
    void navigate({ to: "/keys", search: next === "sessions" ? { view: next } : {} });
  const create = () => setCreating(true);

  const creation: Command = {
    id: "new key",
    title: "New key",
    section,
    icon: "plus",
    keys: "n",
    run: create,
  };
  useSteps("[data-row]", view === "keys" ? "key" : "session");
  useCommands([
    ...(mayManage ? [creation] : []),
    {
      id: "sessions",
      title: view === "keys" ? "Show sessions" : "Show keys",
      section,
      icon: "key",
      keys: "v",
      run: () => show(view === "keys" ? "sessions" : "keys"),
    },
    {
      id: "end",
      title: "Revoke the key or end the session",
      section,
      keys: "delete",
      hidden: true,
      run: end,
    },
  ]);

  return (
    <>
      <Tabs
        label="Keys or sessions"
        value={view}
        onChange={show}
        tabs={[
          {
            value: "keys",
            label: "Keys",
            content: <KeyList onCreate={create} onRevoke={setRevoked} />,
          },
          {
            value: "sessions",
            label: "Sessions",
            content: view === "sessions" ? <SessionList /> : null,
          },
        ]}
        render={(list, content) => (
          <>
            <ScreenHead
              title="Keys"
              actions={
                mayManage && view === "keys" ? (
                  <Button variant="primary" onClick={create}>
                    <Icon name="plus" />
                    New key
                  </Button>
                ) : null
              }
            >
              {list}
            </ScreenHead>
            {content}
          </>
        )}
      />
      <Suspense fallback={<Opening />}>
        {isCreating ? <CreateKey onClose={() => setCreating(false)} /> : null}
        {revoked === null ? null : <RevokeKey apiKey={revoked} onClose={() => setRevoked(null)} />}
      </Suspense>
    </>
  );
};
