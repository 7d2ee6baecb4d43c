import { useEffect, useState } from "react";
import { useConnection } from "../data/live/data.ts";
import type { Connection } from "../data/live/live.ts";
import { classes } from "../parts/classes.ts";
import styles from "./ConnectionLine.module.css";

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

const names = { connecting: "Connecting", live: "Live", lost: "Reconnecting" };

/** The delay in milliseconds before a lost connection becomes a banner. Until then it shows as reconnecting. */
const patience = 5_000;

/** The state of the connection: a word beside the navigation, or a banner if the page may be out of date. */
export const ConnectionLine = () => {
  const connection = useConnection();
  const [late, setLate] = useState<Connection | null>(null);
  const isOffline = connection.state === "lost" && late === connection;
  useEffect(() => {
    if (connection.state !== "lost") return undefined;
    const timer = setTimeout(() => setLate(connection), patience);
    return () => clearTimeout(timer);
  }, [connection]);
  return (
    <div
      className={classes(
        styles["connection"],
        connection.state === "live" && styles["live"],
        connection.state === "lost" && styles["lost"],
        isOffline && styles["offline"],
      )}
      role="status"
    >
      {isOffline ? (
        <>
          <b>Offline since {clock.format(connection.since)}</b>
          <span>The page shows what it loaded before, and reconnects automatically.</span>
        </>
      ) : (
        names[connection.state]
      )}
    </div>
  );
};
