import { getRouteApi } from "@tanstack/react-router";
import {
  deliveryStatuses,
  useDeliveries,
  useRetryDelivery,
  type WebhookDelivery,
} from "../data/webhooks.ts";
import { Chooser } from "../parts/Chooser.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { FilterChip } from "../parts/FilterChip.tsx";
import { ShowMore } from "../parts/ShowMore.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { useSteps } from "../parts/steps.ts";
import { useToasts } from "../parts/toast.ts";
import { DeliveryRow } from "./DeliveryRow.tsx";
import styles from "./Webhooks.module.css";

const route = getRouteApi("/webhooks/$webhookId");

/** The deliveries of a webhook, newest first, by status and by event. */
export const Deliveries = ({
  isDeleting,
  webhookId,
}: {
  readonly webhookId: string;
  readonly isDeleting: boolean;
}) => {
  const { event, status } = route.useSearch();
  const navigate = route.useNavigate();
  const { toast } = useToasts();
  const { mutate } = useRetryDelivery();
  const list = useDeliveries(webhookId, isDeleting, { status, eventId: event });
  const deliveries = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const retry = (delivery: WebhookDelivery) =>
    mutate(delivery, { onSuccess: ({ kind }) => toast("Sent again", kind) });
  useSteps("[data-row]", "delivery");
  return (
    <section className={styles["deliveries"]} aria-label="Deliveries">
      <div className={styles["head"]}>
        <h2>Deliveries</h2>
        <Chooser
          label="Status"
          all="Every status"
          choices={deliveryStatuses}
          value={status}
          onSelect={(chosen) =>
            void navigate({
              search: { event, status: deliveryStatuses.find((one) => one === chosen) },
            })
          }
        />
        {event === undefined ? null : (
          <FilterChip text={event} onClear={() => void navigate({ search: { status } })} />
        )}
      </div>
      <ErrorNote error={list.error} />
      {list.isPending ? <Skeleton height={60} /> : null}
      {list.isSuccess && deliveries.length === 0 ? (
        <p className={styles["note"]}>
          No deliveries. They are retained for 14 days. Send a test to see one.
        </p>
      ) : null}
      <ul>
        {deliveries.map((delivery) => (
          <li key={delivery.id}>
            <DeliveryRow
              delivery={delivery}
              onRetry={retry}
              onEvent={(id) => void navigate({ search: { status, event: id } })}
            />
          </li>
        ))}
      </ul>
      <ShowMore list={list} text="Show earlier deliveries" />
    </section>
  );
};
