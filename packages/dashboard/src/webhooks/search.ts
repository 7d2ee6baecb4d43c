import { type DeliveryStatus, deliveryStatuses } from "../data/webhooks.ts";

/** The search parameters of a webhook's URL: filters of its deliveries. */
export interface WebhookSearch {
  readonly status?: DeliveryStatus | undefined;
  /** The id of an event. */
  readonly event?: string | undefined;
}

export const webhookSearch = (search: Record<string, unknown>): WebhookSearch => ({
  status: deliveryStatuses.find((status) => status === search["status"]),
  event:
    typeof search["event"] === "string" && search["event"] !== "" ? search["event"] : undefined,
});
