import { access, constants } from "node:fs/promises";
import { Effect, Layer } from "effect";
import * as CatalogFiles from "../config/CatalogFiles.ts";
import { ServerConfig } from "../config/ServerConfig.ts";
import { keys, secretSetting, setting, text } from "../config/Setting.ts";
import type { Finding } from "./Finding.ts";

/** Reads the settings that other checks need, even if other settings are invalid. */
export const read = Effect.gen(function* () {
  const dataDir = yield* setting("QM_DATA_DIR", text, ".quartermaster");
  const masterKeys = yield* Effect.orElseSucceed(
    secretSetting("QM_SECRET_KEY", keys, null),
    () => null,
  );
  return { dataDir, masterKeys };
});

/** The message contains the variable, and its valid values if the program has such a variable. */
const fixOf = (message: string): string => {
  const [, unknown] = /^(QM_\w+) is not a variable of Quartermaster/.exec(message) ?? [];
  if (unknown !== undefined) return `unset ${unknown}`;
  return `export ${/QM_[A-Z0-9_]+/.exec(message)?.[0] ?? "QM_DATA_DIR"}=VALUE`;
};

const invalid = (message: string): Finding => ({
  check: "configuration",
  severity: "error",
  message,
  fix: fixOf(message),
});

const tlsFiles = Effect.flatMap(ServerConfig, ({ tls }) =>
  Effect.promise(async () => {
    const files =
      tls === null ? [] : [["QM_TLS_CERT", tls.cert] as const, ["QM_TLS_KEY", tls.key] as const];
    const findings: Array<Finding> = [];
    for (const [name, file] of files) {
      await access(file, constants.R_OK).catch(() => {
        findings.push(
          invalid(`${name} must name a file that this user may read, but ${file} cannot be read.`),
        );
      });
    }
    return findings;
  }),
);

/** Checks whether a server would start with these variables and the files in them. */
export const check = Effect.andThen(Effect.scoped(Layer.build(CatalogFiles.layer)), tlsFiles).pipe(
  Effect.provide(ServerConfig.layer),
  Effect.catch(({ message }) => Effect.succeed([invalid(message)])),
);
