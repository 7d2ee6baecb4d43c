import { Link } from "@tanstack/react-router";
import type { InstalledServer } from "../../data/servers/servers.ts";
import { Badge } from "../../parts/Badge.tsx";
import { OutageNote } from "../OutageNote.tsx";
import { ServerState } from "../ServerState.tsx";
import { plural, toolCount, transportOf } from "../words.ts";
import { CallSparkline } from "./CallSparkline.tsx";
import styles from "../Servers.module.css";

export const ServerRow = ({ server }: { readonly server: InstalledServer }) => {
  const tools = toolCount(server);
  return (
    <li>
      <Link
        to="/servers/$serverId"
        params={{ serverId: server.id }}
        className={styles["row"] ?? ""}
        data-item
      >
        <span className={styles["name"]}>
          <span className={styles["title"]}>{server.name}</span>
          {server.toolsChanged ? (
            <Badge
              tone="warning"
              text="Tools changed"
              title="Changed tools are withheld until a person accepts them"
            />
          ) : null}
          {server.updateAvailable ? <Badge tone="accent" text="Update" /> : null}
        </span>
        <span className={styles["calls"]}>
          <CallSparkline serverId={server.id} />
        </span>
        <span className={styles["facts"]}>
          <span>{transportOf(server)}</span>
          {server.version === null ? null : <span>{server.version}</span>}
          <span>
            {tools !== null
              ? plural(tools, "tool")
              : server.lastVerification === null
                ? "Not verified"
                : "Verification failed"}
          </span>
        </span>
        <span className={styles["status"]}>
          <ServerState server={server} />
        </span>
        {server.outage === null ? null : (
          <span className={styles["outage"]}>
            <OutageNote brief outage={server.outage} />
          </span>
        )}
      </Link>
    </li>
  );
};
