import { Connection, NodeProcess, Version } from "@quartermaster/cli";
import { Dashboard } from "@quartermaster/http";
import { Effect, Path, Redacted } from "effect";
import { acceptsPlainHttp, ServerConfig } from "./config/ServerConfig.ts";
import { DataDirectory } from "./data/DataDirectory.ts";
import * as OwnerKey from "./data/OwnerKey.ts";
import * as Logs from "./observation/Logs.ts";
import { Listener } from "./socket/Listener.ts";

/** Prints the server's URL and the first steps. */
export const say = Effect.fn("Welcome.say")(function* (ownerKey: OwnerKey.OwnerKey) {
  const config = yield* ServerConfig;
  const { publicUrl, tls, workers } = config;
  const { path: dataDir } = yield* DataDirectory;
  const version = yield* Version.Version;
  if (acceptsPlainHttp(config)) {
    yield* Effect.logWarning(
      `QM_ALLOW_HTTP is set: clients on other machines send their keys to ${config.host} over plain HTTP.`,
    );
  }
  const listener = yield* Listener;
  const local = listener.browserUrl;
  const url = publicUrl ?? local;
  const reachable = tls !== null && publicUrl !== null ? publicUrl : local;
  const tryOut = (file: string) => firstCommand(reachable, ownerKey.isThere ? file : null, tls);
  const facts = {
    version,
    dataDir,
    url,
    listens: listener.url,
    workers,
    ownerKeyFile: ownerKey.isThere ? ownerKey.file : null,
    docs: `${url}/docs`,
    try: tryOut(ownerKey.file),
  };
  if (!(yield* Logs.isPretty)) {
    const message = `Quartermaster listens on ${listener.url}`;
    return yield* Effect.annotateLogs(Effect.logInfo(message), facts);
  }
  const key =
    ownerKey.fresh !== null && NodeProcess.isTerminal()
      ? `${ownerKey.file}\n              ${Redacted.value(ownerKey.fresh)}`
      : (facts.ownerKeyFile ?? "created at the first start; its file was deleted");
  const path = yield* Path.Path;
  const below = path.relative(path.resolve(), ownerKey.file);
  const isBelow = !path.isAbsolute(below) && !below.startsWith("..");
  // A log would store the token, so only a terminal gets it.
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
      ...(workers === 1 ? [] : [`  Workers     ${workers}`]),
      `  Data        ${dataDir}`,
      `  Owner key   ${key}`,
      `  Docs        ${facts.docs}`,
      "",
      "Create an issue in the project demo:",
      "",
      `  ${tryOut(isBelow ? below : ownerKey.file)}`,
      "",
    ].join("\n"),
  );
});

const quoted = (path: string) =>
  /^[\w./@%+,:-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

/** The first command, ready to copy. Without the file of the Owner key it needs QM_KEY. */
const firstCommand = (url: string, keyFile: string | null, tls: { readonly cert: string } | null) =>
  [
    ...(tls === null ? [] : [`NODE_EXTRA_CA_CERTS=${quoted(tls.cert)}`]),
    'npx quartermaster issue create --project demo "Say hello"',
    ...(url === Connection.defaultUrl ? [] : [`--url ${url}`]),
    ...(keyFile === null ? [] : [`--key-file ${quoted(keyFile)}`]),
  ].join(" ");
