import { Effect, Redacted } from "effect";
import { Listener } from "./Listener.ts";
import * as Logs from "./Logs.ts";
import * as NodeProcess from "./NodeProcess.ts";
import type { OwnerKey } from "./OwnerKey.ts";
import { ServerConfig } from "./ServerConfig.ts";

/** Says where the server is and how to begin, once it listens. */
export const say = Effect.fn("Welcome.say")(function* (ownerKey: OwnerKey) {
  const { publicUrl, tls } = yield* ServerConfig;
  const listener = yield* Listener;
  // An address of all interfaces is none to call.
  const local = listener.url.replace(/\/\/(0\.0\.0\.0|\[::\])/, "//127.0.0.1");
  const url = publicUrl ?? local;
  const told = {
    url,
    listens: listener.url,
    ownerKeyFile: ownerKey.isThere ? ownerKey.file : null,
    docs: `${url}/docs`,
    try: firstCall(tls !== null && publicUrl !== null ? publicUrl : local, ownerKey, tls),
  };
  if (!(yield* Logs.isPretty)) {
    const message = `Quartermaster listens on ${listener.url}`;
    return yield* Effect.annotateLogs(Effect.logInfo(message), told);
  }
  const key =
    ownerKey.fresh !== null && NodeProcess.isTerminal()
      ? `${ownerKey.file}\n              ${Redacted.value(ownerKey.fresh)}`
      : (told.ownerKeyFile ?? "made at the first start; its file is gone");
  return NodeProcess.printLine(
    [
      "",
      `Quartermaster listens on ${listener.url}`,
      "",
      ...(publicUrl === null ? [] : [`  Public URL  ${publicUrl}`]),
      `  Owner key   ${key}`,
      `  API docs    ${told.docs}`,
      "",
      "Create an issue in the project demo:",
      "",
      `  ${told.try}`,
      "",
    ].join("\n"),
  );
});

const quoted = (path: string) =>
  /^[\w./@%+,:-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;

const firstCall = (url: string, ownerKey: OwnerKey, tls: { readonly cert: string } | null) =>
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
