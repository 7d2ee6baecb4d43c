import type { Webhook, WebhookDelivery } from "../data/webhooks.ts";

type Tone = "warning" | "danger" | "success";

/** The state of a webhook as a badge; null while it is enabled. */
export const stateOf = ({
  status,
}: Pick<Webhook, "status">): { readonly text: string; readonly tone: Tone } | null =>
  status === "enabled"
    ? null
    : status === "failing"
      ? { text: "Failing", tone: "danger" }
      : { text: "Paused", tone: "warning" };

const reasons: Readonly<Record<NonNullable<Webhook["statusReason"]>, string>> = {
  gone: "The receiver responded with 410, so nothing is sent to it. Enable the webhook if that was a mistake.",
  noSuccess:
    "An event failed ten times, and none succeeded for 72 hours. Repair the receiver, enable the webhook, and replay what it missed.",
  tooManyWaiting:
    "More than 100,000 deliveries waited. Repair the receiver, enable the webhook, and replay what it missed.",
};

/** The reason why nothing is sent to a webhook, and the way out. Empty while it is enabled. */
export const whyNot = ({ status, statusReason }: Webhook): string =>
  statusReason === null
    ? status === "enabled"
      ? ""
      : "Nothing is sent to it, and no event waits for it. Enabled, it starts with the next event; replay fetches the others."
    : reasons[statusReason];

export const deliveryNames: Readonly<Record<WebhookDelivery["status"], string>> = {
  pending: "Pending",
  delivered: "Delivered",
  failed: "Failed",
  skipped: "Skipped",
};

export const deliveryTones: Readonly<Record<WebhookDelivery["status"], Tone | undefined>> = {
  pending: "warning",
  delivered: "success",
  failed: "danger",
  skipped: undefined,
};

/** The response of the receiver, or the reason why there is none. */
export const outcomeOf = ({ lastError, lastStatus }: WebhookDelivery): string =>
  [lastStatus === null ? null : `HTTP ${lastStatus}`, lastError]
    .filter((part) => part !== null)
    .join(": ");
