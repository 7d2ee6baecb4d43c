import type { WebhookCreate, WebhookDelivery } from "@quartermaster/client";
import { Effect, Option } from "effect";
import * as Api from "../Api.ts";
import { failed } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import * as Input from "../Input.ts";
import * as Lists from "../Lists.ts";
import * as Output from "../Output.ts";

type Of<A> = Connection.ResultFlags & A;
type Format = WebhookCreate["format"];

const kindsOf = (text: string) =>
  text
    .split(",")
    .map((kind) => kind.trim())
    .filter((kind) => kind !== "");

/** The secret in a file, or undefined for a new one. */
const secretOf = (path: Option.Option<string>) =>
  Option.isNone(path)
    ? Effect.succeed(undefined)
    : Effect.map(Input.file("--secret-file", path.value), (secret) => secret.trim());

export const list = Effect.fnUntraced(function* (flags: Of<object>) {
  const access = yield* Connection.open(flags);
  const webhooks = yield* Api.call(access, (client, options) => client.webhooks.list({}, options));
  yield* Output.list(
    flags.json,
    webhooks,
    ["ID", "STATUS", "KINDS", "PROJECT", "LAST", "URL", "NAME"],
    webhooks.map(({ id, kinds, lastDelivery, name, projectId, status, statusReason, url }) => [
      id,
      Output.state(statusReason === null ? status : `${status} (${statusReason})`),
      kinds.join(","),
      projectId ?? "all",
      Output.time(lastDelivery?.createdAt ?? null, "never"),
      url,
      name,
    ]),
  );
});

export const create = Effect.fnUntraced(function* (
  flags: Of<{
    readonly name: string;
    readonly target: string;
    readonly kinds: string;
    readonly project: Option.Option<string>;
    readonly format: Format;
    readonly secretFile: Option.Option<string>;
  }>,
) {
  const access = yield* Connection.open(flags);
  const body = {
    url: yield* Input.text(flags.target),
    name: flags.name,
    kinds: kindsOf(flags.kinds),
    projectId: Option.getOrUndefined(flags.project),
    format: flags.format,
    secret: yield* secretOf(flags.secretFile),
  };
  const created = yield* Api.call(access, (client, options) =>
    client.webhooks.create(body, options),
  );
  // Prints only the secret, so that the output can be written to a file.
  yield* Output.one(flags.json, created, [created.secret ?? ""]);
});

export const edit = Effect.fnUntraced(function* (
  flags: Of<{
    readonly webhook: string;
    readonly name: Option.Option<string>;
    readonly target: Option.Option<string>;
    readonly kinds: Option.Option<string>;
    readonly project: Option.Option<string>;
    readonly allProjects: boolean;
    readonly format: Option.Option<NonNullable<Format>>;
    readonly status: Option.Option<"enabled" | "disabled">;
  }>,
) {
  const access = yield* Connection.open(flags);
  const url = Option.isNone(flags.target) ? undefined : yield* Input.text(flags.target.value);
  const body = {
    url,
    name: Option.getOrUndefined(flags.name),
    kinds: Option.getOrUndefined(Option.map(flags.kinds, kindsOf)),
    projectId: flags.allProjects ? null : Option.getOrUndefined(flags.project),
    format: Option.getOrUndefined(flags.format),
    status: Option.getOrUndefined(flags.status),
  };
  const webhook = yield* Api.call(access, (client, options) =>
    client.webhooks.update({ webhookId: flags.webhook, ...body }, options),
  );
  yield* Output.one(flags.json, webhook, []);
});

const lineOf = ({ attempts, id, kind, lastError, lastStatus, status }: WebhookDelivery): string =>
  Output.plain([
    [id, status, kind, String(attempts), String(lastStatus ?? ""), lastError ?? ""],
  ]).join();

export const test = Effect.fnUntraced(function* (flags: Of<{ readonly webhook: string }>) {
  const access = yield* Connection.open(flags);
  const delivery = yield* Output.waitingDuring(
    "for the receiver",
    Api.call(access, (client, options) =>
      client.webhooks.test({ webhookId: flags.webhook }, options),
    ),
  );
  yield* Output.one(flags.json, delivery, [lineOf(delivery)]);
  if (delivery.status !== "delivered") {
    return yield* failed(
      `The receiver did not accept the test. ${delivery.lastError ?? ""}`.trim(),
    );
  }
});

export const deliveries = Effect.fnUntraced(function* (
  flags: Of<{
    readonly webhook: string;
    readonly status: Option.Option<WebhookDelivery["status"]>;
    readonly event: Option.Option<string>;
    readonly limit: number;
  }>,
) {
  const access = yield* Connection.open(flags);
  const query = {
    limit: Lists.pageSize(flags.limit),
    status: Option.getOrUndefined(flags.status),
    eventId: Option.getOrUndefined(flags.event),
  };
  const found = yield* Lists.take(access, flags.limit, (client, options) =>
    client.webhooks.deliveries({ webhookId: flags.webhook, ...query }, options),
  );
  yield* Output.list(
    flags.json,
    found,
    ["ID", "STATUS", "KIND", "ATTEMPTS", "NEXT", "HTTP", "EVENT", "ERROR"],
    found.map((row) => [
      row.id,
      Output.state(row.status),
      row.kind,
      String(row.attempts),
      Output.time(row.nextAttemptAt),
      String(row.lastStatus ?? ""),
      row.eventId,
      row.lastError ?? "",
    ]),
  );
});

export const retry = Effect.fnUntraced(function* (
  flags: Of<{ readonly webhook: string; readonly delivery: string }>,
) {
  const access = yield* Connection.open(flags);
  const ids = { webhookId: flags.webhook, deliveryId: flags.delivery };
  const delivery = yield* Api.call(access, (client, options) =>
    client.webhooks.retry(ids, options),
  );
  yield* Output.one(flags.json, delivery, [lineOf(delivery)]);
});

export const rotate = Effect.fnUntraced(function* (
  flags: Of<{ readonly webhook: string; readonly secretFile: Option.Option<string> }>,
) {
  const access = yield* Connection.open(flags);
  const secret = yield* secretOf(flags.secretFile);
  const rotated = yield* Api.call(access, (client, options) =>
    client.webhooks.rotate({ webhookId: flags.webhook, secret }, options),
  );
  yield* Output.one(flags.json, rotated, [rotated.secret]);
});

export const remove = Effect.fnUntraced(function* (flags: Of<{ readonly webhook: string }>) {
  const access = yield* Connection.open(flags);
  yield* Api.call(access, (client, options) =>
    client.webhooks.delete({ webhookId: flags.webhook }, options),
  );
  yield* Output.one(flags.json, { deleted: flags.webhook }, []);
});
