import { Link } from "@tanstack/react-router";
import type { InstalledServer } from "../../data/servers/servers.ts";
import { Badge } from "../../parts/Badge.tsx";
import { ListRow } from "../../parts/ScreenList.tsx";
import { OutageNote } from "../OutageNote.tsx";
import { ServerState } from "../ServerState.tsx";
import { plural, toolCount, transportOf } from "../words.ts";
import { CallSparkline } from "./CallSparkline.tsx";
import styles from "./List.module.css";

/** A server in the list, with its outage below it. */
export const ServerRow = ({ server }: { readonly server: InstalledServer }) => {
  const tools = toolCount(server);
  return (
    <ListRow className={styles["row"]} aria-label={server.name}>
      <span className={styles["name"]}>
        <Link to="/servers/$serverId" params={{ serverId: server.id }} data-item={server.id}>
          {server.name}
        </Link>
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
        <span>{server.version}</span>
        <span>
          {tools !== null
            ? plural(tools, "tool")
            : server.lastVerification === null
              ? "Not verified"
              : "Verification failed"}
        </span>
      </span>
      <ServerState server={server} />
      {server.outage === null ? null : (
        <span className={styles["outage"]}>
          <OutageNote brief outage={server.outage} />
        </span>
      )}
    </ListRow>
  );
};
