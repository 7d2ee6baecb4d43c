import { SettingNames } from "@quartermaster/core";
import { Layer } from "effect";

/** The environment variables that error messages of the libraries advise to set. */
export const layer = Layer.succeed(SettingNames.SettingNames, {
  allowDirect: "QM_ALLOW_DIRECT=1",
  allowedHosts: "QM_ALLOWED_HOSTS",
  allowedOrigins: "QM_ALLOWED_ORIGINS",
  allowedPaths: "QM_ALLOWED_PATHS",
  catalog: "a file of QM_CATALOG",
  privateHosts: "QM_PRIVATE_HOSTS",
  publicUrl: "QM_PUBLIC_URL",
  webhookLocal: "QM_WEBHOOK_LOCAL=1",
});
