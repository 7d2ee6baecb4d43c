import { usePreparation } from "../data/servers/preparation.ts";
import type { InstalledServer } from "../data/servers/servers.ts";
import { classes } from "../parts/classes.ts";
import { stateNames } from "./words.ts";
import styles from "./ServerState.module.css";

const running = { preparing: "Preparing", verifying: "Verifying", failed: "Not prepared" } as const;

/** The state of a server and the progress of its preparation. */
export const ServerState = ({ server }: { readonly server: InstalledServer }) => {
  const preparation = usePreparation(server.id);
  const state = preparation?.state ?? server.status;
  return (
    <span className={classes(styles["state"], styles[state])}>
      <span className={styles["dot"]} aria-hidden="true" />
      {preparation === null ? stateNames[server.status] : running[preparation.state]}
    </span>
  );
};
