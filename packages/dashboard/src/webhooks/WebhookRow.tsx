import { Link } from "@tanstack/react-router";
import { useProjectNames } from "../data/issues/projects.ts";
import type { Webhook } from "../data/webhooks.ts";
import { Badge } from "../parts/Badge.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { ListRow, RowName } from "../parts/ScreenList.tsx";
import { deliveryNames, deliveryTones, stateOf } from "./words.ts";
import styles from "./Webhooks.module.css";

/** A webhook in the list, with its last delivery. */
export const WebhookRow = ({
  webhook: { id, kinds, lastDelivery, name, projectId, url },
  webhook,
}: {
  readonly webhook: Webhook;
}) => {
  const projectName = useProjectNames();
  const state = stateOf(webhook);
  return (
    <ListRow aria-label={name}>
      <RowName detail={url}>
        <Link to="/webhooks/$webhookId" params={{ webhookId: id }} data-item={id} dir="auto">
          {name}
        </Link>
        {state === null ? null : <Badge {...state} />}
      </RowName>
      <div className={styles["kinds"]} title={kinds.join(", ")}>
        {projectId === null ? "" : `${projectName(projectId)}: `}
        {kinds.join(", ")}
      </div>
      <div className={styles["last"]}>
        {lastDelivery === null ? (
          "Nothing sent yet"
        ) : (
          <>
            <Badge
              text={deliveryNames[lastDelivery.status]}
              {...toneOf(lastDelivery.status)}
              title={lastDelivery.lastError ?? lastDelivery.kind}
            />{" "}
            <RelativeTime iso={lastDelivery.createdAt} prefix="Last delivery" />
          </>
        )}
      </div>
    </ListRow>
  );
};

const toneOf = (status: keyof typeof deliveryTones) => {
  const tone = deliveryTones[status];
  return tone === undefined ? {} : { tone };
};
