import { Context } from "effect";

/**
 * The names of settings, for texts that advise the reader to change one. Default: the options of
 * the library. A program that reads them from elsewhere, such as from environment variables,
 * replaces the names.
 */
export const SettingNames = Context.Reference<{
  readonly allowDirect: string;
  readonly allowedHosts: string;
  readonly allowedOrigins: string;
  readonly allowedPaths: string;
  /** The setting with which the operator adds catalog entries. */
  readonly catalog: string;
  readonly privateHosts: string;
  readonly publicUrl: string;
  /** The setting that lets webhooks use `http:` and this machine. */
  readonly webhookLocal: string;
}>("@quartermaster/core/SettingNames", {
  defaultValue: () => ({
    allowDirect: "allowDirect: true",
    allowedHosts: "allowedHosts",
    allowedOrigins: "allowedOrigins",
    allowedPaths: "allowedPaths",
    catalog: "the catalog of the host",
    privateHosts: "privateHosts",
    publicUrl: "publicUrl",
    webhookLocal: "local of WebhookOptions",
  }),
});
