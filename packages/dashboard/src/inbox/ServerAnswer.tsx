import { useAnswer } from "../data/inbox/answers.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { useVerify } from "../data/servers/serverTools.ts";
import { Button } from "../parts/Button.tsx";
import styles from "./Item.module.css";

/** Retries the verification of a failed server. */
export const ServerAnswer = ({
  item,
  serverId,
}: {
  readonly item: InboxItem;
  readonly serverId: string;
}) => {
  const { mutateAsync: verify } = useVerify();
  const { mutate: send } = useAnswer(item);
  return (
    <div className={styles["buttons"]}>
      <Button data-first onClick={() => send(() => verify(serverId))}>
        Retry
      </Button>
    </div>
  );
};
