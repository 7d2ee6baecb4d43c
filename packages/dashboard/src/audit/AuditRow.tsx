import { type AuditEntry, auditWords } from "../data/audit.ts";
import { useName } from "../data/live/names.ts";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { ListRow } from "../parts/ScreenList.tsx";
import { programName } from "./programName.ts";
import styles from "./Audit.module.css";

/** An entry of the audit log. */
export const AuditRow = ({
  entry: { action, actor, address, at, changes, keyId, subject, userAgent },
  onActor,
}: {
  readonly entry: AuditEntry;
  readonly onActor: (id: string) => void;
}) => {
  const { isMe, name } = useName(actor.id);
  const what = subject.type === "session" ? "" : (subject.name ?? subject.id);
  const program = userAgent === null ? null : programName(userAgent);
  const from = [address, program].filter((part) => part !== null).join(" · ");
  return (
    <ListRow
      className={styles["row"]}
      data-row
      tabIndex={0}
      aria-label={`${name} ${auditWords[action]} ${what}`.trim()}
    >
      <div className={styles["what"]}>
        <button
          type="button"
          className={styles["who"]}
          title={`Show only changes by ${name}`}
          onClick={() => onActor(actor.id)}
        >
          <b dir="auto">{isMe ? "You" : name}</b>
        </button>{" "}
        {auditWords[action]}
        {what === "" ? null : (
          <>
            {" "}
            <b dir="auto" title={subject.id}>
              {what}
            </b>
          </>
        )}
      </div>
      <div className={styles["changes"]} title={changes.join(", ")} dir="auto">
        {changes.join(", ")}
      </div>
      <div
        className={styles["from"]}
        title={[address, userAgent, keyId].filter((part) => part !== null).join(" · ")}
      >
        {from}
      </div>
      <div className={styles["when"]}>
        <RelativeTime iso={at} prefix="At" />
      </div>
    </ListRow>
  );
};
