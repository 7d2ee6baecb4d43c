import { NodeProcess, Version } from "@quartermaster/cli";
import { Dashboard } from "@quartermaster/http";
import { Effect, Redacted } from "effect";
import { acceptsPlainHttp, ServerConfig } from "./config/ServerConfig.ts";
import { DataDirectory } from "./data/DataDirectory.ts";
import * as OwnerKey from "./data/OwnerKey.ts";
import * as Logs from "./observation/Logs.ts";
import { Listener } from "./socket/Listener.ts";

/** Prints where the server listens and how to start using it. */
export const say = Effect.fn("Welcome.say")(function* (ownerKey: OwnerKey.OwnerKey) {
  const config = yield* ServerConfig;
  const { publicUrl, tls } = config;
  const { path: dataDir } = yield* DataDirectory;
  const version = yield* Version.Version;
  if (acceptsPlainHttp(config)) {
    yield* Effect.logWarning(
      `QM_ALLOW_HTTP is set: clients on other machines send their keys to ${config.host} over plain HTTP.`,
    );
  }
  const listener = yield* Listener;
  // Clients cannot connect to the address of all interfaces.
  const local = listener.url.replace(/\/\/(0\.0\.0\.0|\[::\])/, "//127.0.0.1");
  const url = publicUrl ?? local;
  const facts = {
    version,
    dataDir,
    url,
    listens: listener.url,
    ownerKeyFile: ownerKey.isThere ? ownerKey.file : null,
    docs: `${url}/docs`,
    try: firstCall(tls !== null && publicUrl !== null ? publicUrl : local, ownerKey, tls),
  };
  if (!(yield* Logs.isPretty)) {
    const message = `Quartermaster listens on ${listener.url}`;
    return yield* Effect.annotateLogs(Effect.logInfo(message), facts);
  }
  const key =
    ownerKey.fresh !== null && NodeProcess.isTerminal()
      ? `${ownerKey.file}\n              ${Redacted.value(ownerKey.fresh)}`
      : (facts.ownerKeyFile ?? "created at the first start; its file was deleted");
  // A log would keep the token.
  const isBuilt = yield* Dashboard.isBuilt;
  const token = isBuilt && NodeProcess.isTerminal() ? yield* OwnerKey.signInToken(ownerKey) : null;
  const signIn = token === null ? "" : `#sign-in=${Redacted.value(token)}`;
  return NodeProcess.printLine(
    [
      "",
      `Quartermaster ${version} listens on ${listener.url}`,
      "",
      ...(publicUrl === null ? [] : [`  Public URL  ${publicUrl}`]),
      `  Dashboard   ${isBuilt ? `${url}/${signIn}` : "not built: run npm run build"}`,
      ...(token === null ? [] : ["              signs you in once, within 5 minutes"]),
      `  Data        ${dataDir}`,
      `  Owner key   ${key}`,
      `  API docs    ${facts.docs}`,
      "",
      "Create an issue in the project demo:",
      "",
      `  ${facts.try}`,
      "",
    ].join("\n"),
  );
});

const quoted = (path: string) =>
  /^[\w./@%+,:-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

const firstCall = (
  url: string,
  ownerKey: OwnerKey.OwnerKey,
  tls: { readonly cert: string } | null,
) =>
  [
    "curl",
    ...(tls === null ? [] : ["--cacert", quoted(tls.cert)]),
    "-X POST",
    `${url}/api/projects/demo/issues`,
    ownerKey.isThere
      ? `-H "Authorization: Bearer $(cat ${quoted(ownerKey.file)})"`
      : '-H "Authorization: Bearer $QM_KEY"',
    "-H 'Content-Type: application/json'",
    `-d '{"title": "Say hello"}'`,
  ].join(" ");
