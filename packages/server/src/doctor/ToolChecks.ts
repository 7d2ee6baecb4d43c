import { join } from "node:path";
import { MasterKeyFile, MasterKeys, RuntimeProbe, SecretBox } from "@quartermaster/core";
import { Orphans, Probe } from "@quartermaster/mcp";
import type { Inspection } from "@quartermaster/storage-sqlite";
import { Effect, Layer, Option } from "effect";
import * as Crypto from "../Crypto.ts";
import * as PrivateFile from "../data/PrivateFile.ts";
import type { Finding } from "./Finding.ts";

/** Checks of MCP servers: runtimes, secrets and processes. */

/** Commands that install a runtime, by the runtime's name in catalog entries. */
const installs: Readonly<Record<string, string>> = {
  python: "sudo apt install python3",
  pipx: "python3 -m pip install --user pipx",
};

/** Checks that each runtime of the enabled servers is installed on this host. */
export const runtimes = Effect.fnUntraced(function* ({
  servers,
}: Pick<Inspection.Facts, "servers">) {
  const needed = servers.filter(
    ({ runtime, status }) => status !== "disabled" && runtime in installs,
  );
  if (needed.length === 0) return [];
  const { detect } = yield* RuntimeProbe.RuntimeProbe;
  const report = yield* detect;
  const detected: Readonly<Record<string, boolean>> = {
    python: report.python.detected,
    pipx: report.pipx.detected,
  };
  return needed
    .filter(({ runtime }) => detected[runtime] === false)
    .map(({ name, runtime }): Finding => ({
      check: "runtimes",
      severity: "error",
      message: `The MCP server ${name} needs ${runtime}, which this host does not have.`,
      fix: installs[runtime] ?? "",
    }));
});

export const detected = Probe.layer;

/** The values that no key decrypts, by the name of their server or webhook. */
const unreadable = Effect.fnUntraced(function* (secrets: Inspection.Facts["secrets"]) {
  const box = yield* SecretBox.SecretBox;
  const names = new Map<string, Array<string>>();
  for (const secret of secrets) {
    if (Option.isSome(yield* Effect.option(box.open(secret, secret)))) continue;
    const variables = names.get(secret.serverName) ?? [];
    names.set(secret.serverName, [...variables, `${secret.name} (key ${secret.keyId})`]);
  }
  return names;
});

const lostSecret = (owner: string, variables: ReadonlyArray<string>, source: string): Finding => ({
  check: "secrets",
  severity: "error",
  message: `Secrets of the ${owner} cannot be decrypted with ${source}: ${variables.join(", ")}.`,
  fix: "export QM_SECRET_KEY=KEY_THEY_WERE_ENCRYPTED_UNDER",
});

/** Checks that the master keys decrypt every secret. `given` contains the keys of QM_SECRET_KEY. */
export const secrets = Effect.fnUntraced(function* (
  dataDir: string,
  given: MasterKeys.KeyBytes | null,
  { secrets, webhookSecrets }: Pick<Inspection.Facts, "secrets" | "webhookSecrets">,
) {
  const file = join(dataDir, "secret-key");
  const source = given === null ? file : "QM_SECRET_KEY";
  const text = yield* Effect.orElseSucceed(PrivateFile.read(file), () => Option.none<string>());
  const keys = Option.orElse(Option.fromNullishOr(given), () =>
    Option.flatMap(text, (text) => MasterKeyFile.parse(text.trim())),
  );
  if (Option.isNone(keys)) {
    const isDamaged = Option.isSome(text);
    if (!isDamaged && secrets.length + webhookSecrets.length === 0) return [];
    const finding: Finding = {
      check: "secrets",
      severity: "error",
      message: isDamaged
        ? `${file} does not hold a master key, so no server starts.`
        : `There is no master key in ${file}, but secrets of ${secrets.length > 0 ? "MCP servers" : "webhooks"} need one.`,
      fix: `cp COPY_OF_THE_KEY ${file} && chmod 600 ${file}`,
    };
    return [finding];
  }
  const [ofServers, ofWebhooks] = yield* Effect.provide(
    Effect.all([unreadable(secrets), unreadable(webhookSecrets)]),
    SecretBox.SecretBox.layer.pipe(
      Layer.provide(MasterKeys.MasterKeys.layer(keys.value)),
      Layer.provide(Crypto.layer),
    ),
  );
  return [
    ...Array.from(ofServers, ([name, names]) => lostSecret(`MCP server ${name}`, names, source)),
    ...Array.from(ofWebhooks, ([name, names]) => lostSecret(`webhook ${name}`, names, source)),
  ];
});

/** Finds MCP servers that are still running although their service crashed. */
export const processes = (dataDir: string) =>
  Effect.map(Orphans.list(dataDir), (groups) =>
    groups.map((group): Finding => ({
      check: "processes",
      severity: "warning",
      message: `The processes of an MCP server (group ${group}) are alive, but the service that started them is not.`,
      fix: `kill -- -${group}`,
    })),
  );
