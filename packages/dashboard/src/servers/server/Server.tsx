import { getRouteApi } from "@tanstack/react-router";
import { type ComponentType, Suspense } from "react";
import { type InstalledServer, useServer } from "../../data/servers/servers.ts";
import { lazily } from "../../parts/lazily.ts";
import { ScreenHead } from "../../parts/ScreenHead.tsx";
import { ScreenState } from "../../parts/ScreenState.tsx";
import { Tabs } from "../../parts/Tabs.tsx";
import { toServers } from "../path.tsx";
import type { ServerTab } from "../search.ts";
import { ServerState } from "../ServerState.tsx";
import { ServerActions } from "./ServerActions.tsx";
import styles from "./Server.module.css";

const route = getRouteApi("/servers/$serverId");

/** The tabs in their order, each loaded on first use. */
const tabs: ReadonlyArray<{
  readonly value: ServerTab;
  readonly label: string;
  readonly View: ComponentType<{ readonly server: InstalledServer }>;
}> = [
  {
    value: "overview",
    label: "Overview",
    View: lazily(() => import("./Overview.tsx"), "Overview"),
  },
  { value: "tools", label: "Tools", View: lazily(() => import("./ToolsTab.tsx"), "ToolsTab") },
  {
    value: "access",
    label: "Access",
    View: lazily(() => import("../access/AccessTab.tsx"), "AccessTab"),
  },
  { value: "calls", label: "Calls", View: lazily(() => import("./Calls.tsx"), "Calls") },
];

/** The page of an installed server. The URL stores the tab. */
export const Server = () => {
  const { serverId } = route.useParams();
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: server, error } = useServer(serverId);
  const current = tabs.find(({ value }) => value === tab)?.value ?? "overview";
  return (
    <>
      <ScreenHead
        title={server?.name ?? "Server"}
        path={toServers}
        isBare
        actions={server === undefined ? null : <ServerActions server={server} />}
      >
        {server === undefined ? null : <ServerState server={server} />}
      </ScreenHead>
      <ScreenState error={error} isPending={server === undefined && error === null} />
      {server === undefined ? null : (
        <Tabs
          label="About the server"
          value={current}
          onChange={(next) =>
            void navigate({ search: next === "overview" ? {} : { tab: next }, replace: true })
          }
          tabs={tabs.map(({ View, label, value }) => ({
            value,
            label,
            content: (
              <Suspense fallback={<ScreenState error={null} isPending />}>
                <View server={server} />
              </Suspense>
            ),
          }))}
          render={(list, content) => (
            <>
              <div className={styles["tabs"]}>{list}</div>
              <div className={styles["content"]}>{content}</div>
            </>
          )}
        />
      )}
    </>
  );
};
