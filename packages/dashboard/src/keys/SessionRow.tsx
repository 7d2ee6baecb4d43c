import type { LoginSession } from "../data/live/sessions.ts";
import { Avatar } from "../parts/Avatar.tsx";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { ListRow, RowName } from "../parts/ScreenList.tsx";
import styles from "./Keys.module.css";

/** A browser session. */
export const SessionRow = ({
  onEnd,
  session: { createdAt, current, expiresAt, keyId, principal },
}: {
  readonly session: LoginSession;
  readonly onEnd: () => void;
}) => {
  const name = principal.id === keyId ? `${principal.role} key` : principal.id;
  return (
    <ListRow className={styles["session"]} data-row tabIndex={0} aria-label={`Session of ${name}`}>
      <Avatar id={name} size={28} />
      <RowName detail={keyId}>
        <span dir="auto">{name}</span>
        {current ? <Badge text="This browser" tone="success" /> : null}
      </RowName>
      <div className={styles["when"]}>
        <span>
          Signed in <RelativeTime iso={createdAt} prefix="Signed in" />
        </span>
        <span>
          Expires <RelativeTime iso={expiresAt} prefix="Expires if unused" />
        </span>
      </div>
      <Button className={styles["end"] ?? ""} small variant="quiet" data-end onClick={onEnd}>
        {current ? "Sign out" : "End"}
      </Button>
    </ListRow>
  );
};
