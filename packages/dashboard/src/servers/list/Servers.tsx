import { useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useMay } from "../../data/live/session.ts";
import { type InstalledServer, useServers } from "../../data/servers/servers.ts";
import { Button } from "../../parts/Button.tsx";
import { ButtonLink } from "../../parts/ButtonLink.tsx";
import { useCommands } from "../../parts/commands.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { lazily } from "../../parts/lazily.ts";
import { Opening } from "../../parts/Opening.tsx";
import { ScreenHead } from "../../parts/ScreenHead.tsx";
import { ScreenList } from "../../parts/ScreenList.tsx";
import { useSteps } from "../../parts/steps.ts";
import { ServerRow } from "./ServerRow.tsx";
import styles from "./List.module.css";

const Import = lazily(() => import("../import/Import.tsx"), "Import");

const keyOf = ({ id }: InstalledServer) => id;
const row = (server: InstalledServer) => <ServerRow server={server} />;

/** The list of installed MCP servers. */
export const Servers = () => {
  const { data, error, isPending } = useServers();
  const navigate = useNavigate();
  const mayChange = useMay("Admin");
  const [isImporting, setImporting] = useState(false);
  useSteps("[data-item]", "server");
  useCommands([
    {
      id: "add",
      title: "Add a server from the catalog",
      section: "Servers",
      icon: "plus",
      keys: "n",
      run: () => void navigate({ to: "/servers/catalog" }),
    },
    ...(mayChange
      ? [
          {
            id: "access",
            title: "Agent access to servers",
            section: "Servers",
            icon: "agents" as const,
            run: () => void navigate({ to: "/servers/access" }),
          },
          {
            id: "import",
            title: "Import a client's configuration",
            section: "Servers",
            icon: "copy" as const,
            keys: "shift+n",
            run: () => setImporting(true),
          },
        ]
      : []),
  ]);
  return (
    <>
      <ScreenHead
        title="Servers"
        count={data?.length || undefined}
        actions={
          mayChange ? (
            <>
              <ButtonLink to="/servers/access">Access</ButtonLink>
              <Button onClick={() => setImporting(true)}>Import</Button>
              <ButtonLink to="/servers/catalog" variant="primary">
                <Icon name="plus" />
                Add server
              </ButtonLink>
            </>
          ) : null
        }
      />
      <ScreenList
        className={styles["list"]}
        label="Installed servers"
        heads={["Server", "Last calls", "Transport", "Version", "Tools", "State"]}
        items={data ?? []}
        keyOf={keyOf}
        height={49}
        row={row}
        isPending={isPending}
        error={error}
        empty={
          <EmptyState
            icon="server"
            title="No servers yet"
            text="MCP servers give agents tools. Install one from the catalog, then grant agents access to it."
            command="quartermaster server install github"
            action={<ButtonLink to="/servers/catalog">Open the catalog</ButtonLink>}
          />
        }
      />
      <Suspense fallback={<Opening />}>
        {isImporting ? <Import onClose={() => setImporting(false)} /> : null}
      </Suspense>
    </>
  );
};
