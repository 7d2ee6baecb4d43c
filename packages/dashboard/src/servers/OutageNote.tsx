import type { InstalledServer } from "../data/servers.ts";
import { classes } from "../parts/classes.ts";
import { Icon } from "../parts/Icon.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { plural } from "./words.ts";
import styles from "./OutageNote.module.css";

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** Why a server is out, since when, and when it is tried again. */
export const OutageNote = ({
  brief = false,
  outage,
}: {
  readonly outage: NonNullable<InstalledServer["outage"]>;
  /** Whether the reason may be cut off. */
  readonly brief?: boolean;
}) => (
  <div className={classes(styles["note"], brief && styles["brief"])}>
    <div className={styles["when"]}>
      <Icon name="warning" size={14} />
      <span>
        Down since <time dateTime={outage.since}>{exact.format(new Date(outage.since))}</time>.{" "}
        {outage.retryAt === null ? (
          "It is not tried again automatically: verify or enable it."
        ) : (
          <>
            Next attempt <RelativeTime iso={outage.retryAt} prefix="At" />
            {outage.attempts === 0 ? "" : `, after ${plural(outage.attempts, "attempt")}`}.
          </>
        )}
      </span>
    </div>
    <div className={styles["reason"]} dir="auto">
      {outage.reason}
    </div>
  </div>
);
