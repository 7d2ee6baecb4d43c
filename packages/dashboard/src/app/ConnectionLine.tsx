import { useEffect, useState } from "react";
import { type Connection, useConnection } from "../data/live/live.ts";
import { classes } from "../parts/classes.ts";
import styles from "./Shell.module.css";

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

const names = { connecting: "Connecting", live: "Live" };

/** A connection that is lost for less than this is only reconnecting. */
const patience = 5_000;

/** Whether what is on the screen is up to date. */
export const ConnectionLine = () => {
  const connection = useConnection();
  const [late, setLate] = useState<Connection | null>(null);
  const isLong = late === connection;
  useEffect(() => {
    if (connection.state !== "lost") return undefined;
    const timer = setTimeout(() => setLate(connection), patience);
    return () => clearTimeout(timer);
  }, [connection]);
  const text =
    connection.state !== "lost"
      ? names[connection.state]
      : isLong
        ? `Offline since ${clock.format(connection.since)}`
        : "Reconnecting";
  return (
    <div
      className={classes(
        styles["connection"],
        connection.state === "live" && styles["live"],
        connection.state === "lost" && styles["lost"],
        isLong && styles["offline"],
      )}
      role="status"
    >
      {text}
    </div>
  );
};
