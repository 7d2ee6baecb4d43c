import { Schema } from "effect";
import { Actor } from "../Actor.ts";
import { ProjectId, ServiceId } from "../Id.ts";
import * as Input from "../Input.ts";
import type { SealedValue } from "../secrets/SealedValue.ts";
import * as Text from "../Text.ts";
import { Timestamp, TimestampInput } from "../Timestamp.ts";
import { WebhookDelivery } from "./WebhookDelivery.ts";

/** The number of webhooks. */
export const maxWebhooks = 50;

/** The events that one replay sends again. */
export const maxReplayed = 10_000;

/** The time for which both secrets sign after a rotation. */
export const rotationSeconds = 24 * 3_600;

export const WebhookFormat = Schema.Literals(["standard", "text"]);
export type WebhookFormat = typeof WebhookFormat.Type;

export const WebhookStatus = Schema.Literals(["enabled", "disabled", "failing"]);
export type WebhookStatus = typeof WebhookStatus.Type;

export const WebhookStatusReason = Schema.Literals(["gone", "noSuccess", "tooManyWaiting"]);
export type WebhookStatusReason = typeof WebhookStatusReason.Type;

const kindsDescription =
  "Kinds of events such as `issue.asked`, families such as `issue.*`, and `attention`, which is what waits for a person.";

/** A webhook as callers see it. */
export const Webhook = Schema.Struct({
  id: ServiceId.annotateKey({ description: "The webhook's id, `whk_...`." }),
  url: Schema.String.annotateKey({
    description:
      "The URL, with `…` instead of everything after the first segment of its path: the rest is often a secret.",
  }),
  name: Schema.String.annotateKey({ description: "1 to 64 characters." }),
  kinds: Schema.Array(Schema.String).annotateKey({ description: kindsDescription }),
  projectId: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The project whose events the webhook gets; null for all, and for events without a project.",
  }),
  format: WebhookFormat.annotateKey({
    description:
      "The body of its requests. `standard`: the event and its issue as JSON. `text`: `text` with one sentence, which Slack and Mattermost accept.",
  }),
  status: WebhookStatus.annotateKey({
    description:
      "`enabled`; `disabled` by a caller, or by a receiver that responded with 410; `failing`, which the service sets. Nothing is sent to a webhook that is not enabled, and nothing waits for it.",
  }),
  statusReason: Schema.NullOr(WebhookStatusReason).annotateKey({
    description:
      "`gone`: the receiver responded with 410. `noSuccess`: an event failed ten times, and none succeeded for 72 hours. `tooManyWaiting`: more than 100,000 deliveries waited. Null if a caller set the status.",
  }),
  secretSetAt: Timestamp.annotateKey({
    description: "When the secret that signs was set or rotated.",
  }),
  createdBy: Actor.annotateKey({ description: "The caller that created the webhook." }),
  createdAt: Timestamp.annotateKey({ description: "When the webhook was created." }),
  updatedAt: Timestamp.annotateKey({
    description: "When its fields, its status or its secret last changed.",
  }),
  lastDelivery: Schema.NullOr(WebhookDelivery).annotateKey({
    description: "The newest delivery that was attempted; null if there is none.",
  }),
}).annotate({
  identifier: "Webhook",
  description: "A URL to which the service sends events, without its secret.",
});
export interface Webhook extends Schema.Schema.Type<typeof Webhook> {}

const secretField = Schema.String.annotateKey({
  description:
    "The secret, `whsec_` and the base64 of its bytes. Standard Webhooks libraries verify the signatures with it.",
});

/** A new webhook, with its secret. */
export const WebhookCreated = Schema.Struct({
  ...Webhook.fields,
  secret: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The secret, `whsec_` and the base64 of its bytes. No other response has it; null if the request is repeated with its Idempotency-Key.",
  }),
}).annotate({ identifier: "WebhookCreated", description: "A new webhook, with its secret." });
export interface WebhookCreated extends Schema.Schema.Type<typeof WebhookCreated> {}

/** A webhook whose secret was rotated, with its new secret. */
export const WebhookRotated = Schema.Struct({ ...Webhook.fields, secret: secretField }).annotate({
  identifier: "WebhookRotated",
  description: "A webhook with its new secret.",
});
export interface WebhookRotated extends Schema.Schema.Type<typeof WebhookRotated> {}

const name = Text.trimmedBetween(1, 64).pipe(
  Schema.annotateEncoded({ description: "1 to 64 characters after trimming." }),
);
const url = Text.between(1, 2_048).annotateKey({
  description:
    "An `https` URL of up to 2,048 characters, without a user name and a fragment, that is not an address of a private network.",
});
const kinds = Schema.Array(Schema.String)
  .check(
    Schema.isMinLength(1, { expected: "at least one kind" }),
    Schema.isMaxLength(100, { expected: "at most 100 kinds" }),
  )
  .annotateKey({
    description: `1 to 100. ${kindsDescription} \`run.logged\` is not possible. With \`projectId\`, neither are kinds of events without a project.`,
  });
const projectId = Schema.optionalKey(Schema.NullOr(ProjectId));
const givenSecret = Input.optional(Schema.String, {
  description:
    "A secret of your own: `whsec_` and the base64 of 24 to 64 bytes. Default: 32 random bytes.",
});

export const WebhookCreate = Schema.Struct({
  url,
  name,
  kinds,
  projectId: projectId.annotateKey({
    description:
      "The webhook gets what a Viewer bound to this project sees. Default: null, which means all events.",
  }),
  format: Input.optional(WebhookFormat, {
    description: "The body of its requests. Default: standard.",
  }),
  secret: givenSecret,
}).annotate({
  identifier: "WebhookCreate",
  description: "The body of a request that creates a webhook.",
});
export interface WebhookCreate extends Schema.Schema.Type<typeof WebhookCreate> {}

export const WebhookUpdate = Schema.Struct({
  url: Input.optional(url, {
    description: "A new URL. The URL of a response, with its `…`, changes nothing.",
  }),
  name: Input.optional(name, { description: "A new name." }),
  kinds: Input.optional(kinds, { description: "All kinds that it gets now." }),
  projectId: projectId.annotateKey({ description: "Another project; null for all events." }),
  format: Input.optional(WebhookFormat, { description: "Another body." }),
  status: Input.optional(Schema.Literals(["enabled", "disabled"]), {
    description:
      "`disabled` skips what waits. `enabled` starts with the next event, also for a webhook that is failing.",
  }),
}).annotate({
  identifier: "WebhookUpdate",
  description: "The body of a request that changes a webhook. Missing fields do not change.",
});
export interface WebhookUpdate extends Schema.Schema.Type<typeof WebhookUpdate> {}

export const WebhookRotate = Schema.Struct({ secret: givenSecret }).annotate({
  identifier: "WebhookRotate",
  description: "The body of a request that rotates the secret of a webhook.",
});
export interface WebhookRotate extends Schema.Schema.Type<typeof WebhookRotate> {}

export const WebhookReplay = Schema.Struct({
  after: Input.optional(ServiceId, {
    description: "The id of a retained event: the events after it are sent again.",
  }),
  from: Input.optional(TimestampInput, {
    description:
      "A time: the events since then are sent again, including events of this time. ISO 8601 with `Z` or an offset.",
  }),
}).annotate({
  identifier: "WebhookReplay",
  description: "The start of a replay: exactly one of the two.",
});
export interface WebhookReplay extends Schema.Schema.Type<typeof WebhookReplay> {}

export const WebhookReplayed = Schema.Struct({
  events: Schema.Int.annotateKey({
    description: `The number of events that are sent again, at most ${maxReplayed}.`,
  }),
}).annotate({ identifier: "WebhookReplayed", description: "The size of a replay." });
export interface WebhookReplayed extends Schema.Schema.Type<typeof WebhookReplayed> {}

/** The stored form of a webhook. Its URL and its secrets are sealed values beside it. */
export interface WebhookRow extends Omit<Webhook, "lastDelivery"> {
  readonly seq: number;
  /** The `seq` of the last event whose deliveries are queued. */
  readonly cursor: number;
  /** Until when the secret before the current one signs as well; null without one. */
  readonly previousUntil: Timestamp | null;
  /** Attempts in a row that timed out. */
  readonly timeouts: number;
  /** The time of the next probe of a receiver that times out; null for other receivers. */
  readonly probeAt: Timestamp | null;
  /** The time of the last `webhook.failing`; null if there was none. */
  readonly failingAt: Timestamp | null;
}

/** A sealed value of a webhook: `url`, `secret`, or `previous`, the secret before the current one. */
export interface WebhookSecretRow extends SealedValue {
  readonly webhookId: string;
  readonly name: "url" | "secret" | "previous";
}

/** The owner of a sealed value, as the box of secrets knows it. */
export const ownerOf = ({
  name,
  webhookId,
}: Pick<WebhookSecretRow, "name" | "webhookId">): {
  readonly serverId: string;
  readonly name: string;
} => ({ serverId: webhookId, name });
