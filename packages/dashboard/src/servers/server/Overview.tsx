import { useMay } from "../../data/live/session.ts";
import type { InstalledServer } from "../../data/servers/servers.ts";
import { OutageNote } from "../OutageNote.tsx";
import { AccessNote } from "./AccessNote.tsx";
import { Authorization } from "./Authorization.tsx";
import { CallSettings } from "./CallSettings.tsx";
import { Limits } from "./Limits.tsx";
import { ServerFacts } from "./ServerFacts.tsx";
import { Uninstall } from "./Uninstall.tsx";
import { UpdateNote } from "./UpdateNote.tsx";
import { Variables } from "./Variables.tsx";
import { Verification } from "./Verification.tsx";
import styles from "./Overview.module.css";

/** The server's state, facts and settings. */
export const Overview = ({ server }: { readonly server: InstalledServer }) => {
  const mayChange = useMay("Admin");
  return (
    <div className={styles["overview"]}>
      {server.outage === null ? null : <OutageNote outage={server.outage} />}
      {server.status === "enabled" && mayChange ? <AccessNote server={server} /> : null}
      {server.updateAvailable && mayChange ? <UpdateNote server={server} /> : null}
      <div className={styles["columns"]}>
        <div>
          <Verification server={server} />
          {server.transport === "stdio" || !mayChange ? null : <Authorization server={server} />}
          <ServerFacts server={server} />
        </div>
        {mayChange ? (
          <div>
            <Variables server={server} />
            <Limits server={server} />
            <CallSettings server={server} />
            <Uninstall server={server} />
          </div>
        ) : null}
      </div>
    </div>
  );
};
