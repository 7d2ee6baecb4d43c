import type { InstalledServer } from "../data/servers/servers.ts";
import { classes } from "../parts/classes.ts";
import { Icon } from "../parts/Icon.tsx";
import { Prose } from "../parts/Prose.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { plural } from "./words.ts";
import styles from "./OutageNote.module.css";

/** The outage of a server: reason, start and next retry. */
export const OutageNote = ({
  brief = false,
  outage,
}: {
  readonly outage: NonNullable<InstalledServer["outage"]>;
  /** Whether the reason is truncated. */
  readonly brief?: boolean;
}) => (
  <div className={classes(styles["note"], brief && styles["brief"])}>
    <div className={styles["when"]}>
      <Icon name="warning" size={14} />
      <span>
        Down for <RelativeTime iso={outage.since} now="less than a minute" prefix="Since" />.{" "}
        {outage.retryAt === null ? (
          "The service does not retry automatically. Verify or retry the server."
        ) : (
          <>
            Next attempt{" "}
            <RelativeTime iso={outage.retryAt} now="in less than a minute" prefix="At" />
            {outage.attempts === 0 ? "" : `, after ${plural(outage.attempts, "failed attempt")}`}.
          </>
        )}
      </span>
    </div>
    <div className={styles["reason"]} dir="auto">
      <Prose text={outage.reason} />
    </div>
  </div>
);
