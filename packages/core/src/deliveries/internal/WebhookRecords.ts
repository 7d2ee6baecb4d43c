import { Effect, Option, type Redacted } from "effect";
import { getOrNotFound, InvalidRequest } from "../../CommonErrors.ts";
import { SecretBox } from "../../secrets/SecretBox.ts";
import { SettingNames } from "../../SettingNames.ts";
import {
  ownerOf,
  type Webhook,
  type WebhookRow,
  type WebhookSecretRow,
} from "../../webhooks/Webhook.ts";
import { toDelivery } from "../../webhooks/WebhookDelivery.ts";
import { WebhookStore } from "../../webhooks/WebhookStore.ts";
import { WebhookOptions } from "../WebhookOptions.ts";
import * as WebhookUrl from "../WebhookUrl.ts";

/** Stored webhooks and their sealed values. */
export const make = Effect.gen(function* () {
  const store = yield* WebhookStore;
  const box = yield* SecretBox;
  const names = yield* SettingNames;
  const options = yield* WebhookOptions;

  const checkUrl = (url: string) => {
    const problem = WebhookUrl.problemOf(url, options, names.webhookLocal);
    return problem === null ? Effect.void : InvalidRequest.at("url", problem);
  };

  const find = (webhookId: string) => getOrNotFound("webhook", webhookId, store.get(webhookId));

  const toWebhook = (row: WebhookRow) =>
    Effect.map(store.attempted(row.id), (last): Webhook => ({
      id: row.id,
      url: row.url,
      name: row.name,
      kinds: row.kinds,
      projectId: row.projectId,
      format: row.format,
      status: row.status,
      statusReason: row.statusReason,
      secretSetAt: row.secretSetAt,
      createdBy: row.createdBy,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      lastDelivery: Option.getOrNull(Option.map(last, toDelivery)),
    }));

  const seal = Effect.fnUntraced(function* (
    webhookId: string,
    values: Partial<Record<WebhookSecretRow["name"], Redacted.Redacted<string>>>,
  ) {
    const rows: Array<WebhookSecretRow> = [];
    for (const name of ["url", "secret", "previous"] as const) {
      const value = values[name];
      if (value === undefined) continue;
      const owner = { webhookId, name };
      rows.push({ ...owner, ...(yield* box.seal(ownerOf(owner), value)) });
    }
    yield* store.putSecrets(rows);
  });

  return { checkUrl, find, seal, toWebhook };
});
