import { Version } from "@quartermaster/cli";
import { WebhookOptions } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { ServerConfig } from "./ServerConfig.ts";

/** The settings of webhooks, for core and for the sender. The listener adds the port that it chose. */
export const layer = Layer.effect(
  WebhookOptions.WebhookOptions,
  Effect.gen(function* () {
    const { port, publicUrl, webhookLocal } = yield* ServerConfig;
    const version = yield* Version.Version;
    return { local: webhookLocal, ownPorts: new Set([port]), publicUrl, version };
  }),
);
