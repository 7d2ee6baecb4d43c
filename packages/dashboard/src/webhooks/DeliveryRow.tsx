import type { WebhookDelivery } from "../data/webhooks.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { deliveryNames, deliveryTones, outcomeOf } from "./words.ts";
import styles from "./Webhooks.module.css";

/** A delivery: its event, its outcome, and the retry. */
export const DeliveryRow = ({
  delivery: { attempts, createdAt, durationMs, eventId, kind, lastResponse, nextAttemptAt, status },
  delivery,
  onEvent,
  onRetry,
}: {
  readonly delivery: WebhookDelivery;
  readonly onEvent: (eventId: string) => void;
  readonly onRetry: (delivery: WebhookDelivery) => void;
}) => {
  const tone = deliveryTones[status];
  const outcome = outcomeOf(delivery);
  return (
    <article className={styles["delivery"]} data-row tabIndex={0} aria-label={`${kind}, ${status}`}>
      <div className={styles["name"]}>
        <b>{kind}</b>
        <button
          type="button"
          className={styles["event"]}
          title="Show only deliveries of this event"
          onClick={() => onEvent(eventId)}
        >
          {eventId}
        </button>
      </div>
      <span>
        <Badge text={deliveryNames[status]} {...(tone === undefined ? {} : { tone })} />
      </span>
      <div className={styles["outcome"]} title={lastResponse ?? outcome}>
        <span dir="auto">{outcome}</span>
        <span className={styles["attempts"]}>
          {attempts === 1 ? "1 attempt" : `${attempts} attempts`}
          {durationMs === null ? "" : ` · ${durationMs} ms`}
          {status === "pending" && nextAttemptAt !== null ? (
            <>
              {" · next "}
              <RelativeTime iso={nextAttemptAt} prefix="Next attempt" />
            </>
          ) : null}
        </span>
      </div>
      <span className={styles["time"]}>
        <RelativeTime iso={createdAt} prefix="Created" />
      </span>
      <Button small variant="quiet" aria-label={`Retry ${kind}`} onClick={() => onRetry(delivery)}>
        Retry
      </Button>
    </article>
  );
};
