import type { ApiKey } from "../data/keys.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Icon } from "../parts/Icon.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { ListRow, RowName } from "../parts/ScreenList.tsx";
import { Expiry } from "./Expiry.tsx";
import styles from "./Keys.module.css";

/** An API key in the list. Only the response to its creation contains the secret. */
export const KeyRow = ({
  apiKey: { agentId, createdAt, expiresAt, id, lastUsedAt, name, projects, role, userId },
  apiKey,
  isOwn,
  onRevoke,
}: {
  readonly apiKey: ApiKey;
  /** Whether the current session uses this key. */
  readonly isOwn: boolean;
  readonly onRevoke?: ((key: ApiKey) => void) | undefined;
}) => (
  <ListRow className={styles["row"]} data-row tabIndex={0} aria-label={name}>
    <RowName detail={id}>
      <span dir="auto" title={name}>
        {name}
      </span>
      {isOwn ? <Badge text="Yours" tone="success" title="You are signed in with this key" /> : null}
    </RowName>
    <div className={styles["role"]}>
      <Badge
        text={role}
        {...(role === "Owner" || role === "Admin" ? { tone: "accent" as const } : {})}
      />
    </div>
    <div className={styles["actor"]}>
      {agentId === null && role === "Metrics" ? (
        <span className={styles["none"]}>None</span>
      ) : (
        <>
          <Icon name={agentId === null ? "user" : "agents"} size={14} />
          <span title={agentId ?? userId ?? undefined}>{agentId ?? userId ?? "Itself"}</span>
        </>
      )}
    </div>
    <div className={styles["projects"]} title={projects?.join(", ")}>
      {projects === null ? (
        <span className={styles["none"]}>{role === "Metrics" ? "None" : "All projects"}</span>
      ) : (
        projects.join(", ")
      )}
    </div>
    <div className={styles["time"]}>
      <span className={styles["label"]}>Created </span>
      <RelativeTime iso={createdAt} prefix="Created" />
    </div>
    <div className={styles["time"]}>
      <span className={styles["label"]}>Last used </span>
      {lastUsedAt === null ? "never" : <RelativeTime iso={lastUsedAt} prefix="Last used" />}
    </div>
    <div className={styles["time"]}>
      <Expiry iso={expiresAt} />
    </div>
    {onRevoke === undefined ? null : (
      <Button
        className={styles["end"] ?? ""}
        small
        variant="quiet"
        data-end
        aria-label={`Revoke ${name}`}
        onClick={() => onRevoke(apiKey)}
      >
        Revoke
      </Button>
    )}
  </ListRow>
);
