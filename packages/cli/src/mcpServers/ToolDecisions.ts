import type { CallOptions, Client, ServerTool } from "@quartermaster/client";
import { Console, Effect, Option } from "effect";
import * as Api from "../Api.ts";
import { CommandError } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import * as Output from "../Output.ts";
import { idOf, type OfServer, toolRow } from "./ServerReads.ts";

/** Decisions about the tools of a server. */

const waiting: ReadonlySet<ServerTool["state"]> = new Set(["changed", "new", "gone"]);

const refused = (kind: "notFound" | "refused", message: string) =>
  new CommandError({ kind, message, problem: null, retryAfterSeconds: null });

/**
 * Accepts the tools that it reads, by their digests; with `--digest`, the tools that an earlier run
 * printed. It reads the digest after the tools, so a change in between differs from one of the two
 * and is not accepted.
 */
export const accept = Effect.fnUntraced(function* (
  flags: OfServer & {
    readonly tool: ReadonlyArray<string>;
    readonly digest: Option.Option<string>;
    readonly dryRun: boolean;
  },
) {
  const access = yield* Connection.open(flags);
  const serverId = yield* idOf(access, flags.server);
  const recorded = yield* Api.call(access, (client, options) =>
    client.servers.tools({ serverId }, options),
  );
  const { instructions, toolsDigest } = yield* Api.call(access, (client, options) =>
    client.servers.get({ serverId }, options),
  );
  const known = new Set(recorded.map(({ name }) => name));
  const unknown = flags.tool.find((name) => !known.has(name));
  if (unknown !== undefined) {
    return yield* refused("notFound", `${flags.server} has no tool ${JSON.stringify(unknown)}.`);
  }
  if (Option.isSome(flags.digest) && flags.digest.value !== toolsDigest) {
    return yield* refused(
      "refused",
      `The tools of ${flags.server} are no longer as they were shown. Read them again with --dry-run.`,
    );
  }
  const chosen = new Set(flags.tool.length > 0 ? flags.tool : known);
  const shown = recorded.filter(({ name, state }) => chosen.has(name) && waiting.has(state));
  const tools = shown.flatMap(({ digest, name }) => (digest === null ? [] : [{ name, digest }]));
  const pending =
    flags.tool.length === 0 && instructions !== null && waiting.has(instructions.state)
      ? instructions
      : null;
  if (!flags.dryRun && (tools.length > 0 || pending !== null)) {
    const accepted = { serverId, tools, instructions: pending?.digest ?? null };
    yield* Api.call(access, (client, options) => client.servers.acceptTools(accepted, options));
  }
  yield* Output.list(
    flags.json,
    { toolsDigest, accepted: !flags.dryRun, tools: shown, instructions: pending },
    ["NAME", "STATE", "DESCRIPTION"],
    [
      ...shown.map(toolRow),
      ...(pending === null ? [] : [["(instructions)", pending.state, pending.current ?? ""]]),
    ],
  );
  if (!flags.json && flags.dryRun && (shown.length > 0 || pending !== null)) {
    yield* Console.error(`Accept these with --digest ${toolsDigest}`);
  }
});

type Decided = OfServer & { readonly tools: ReadonlyArray<string> };

const decide = (
  change: (
    client: Client,
    args: { readonly serverId: string; readonly names: ReadonlyArray<string> },
    options: CallOptions,
  ) => Promise<ReadonlyArray<ServerTool>>,
) =>
  Effect.fnUntraced(function* (flags: Decided) {
    const access = yield* Connection.open(flags);
    const serverId = yield* idOf(access, flags.server);
    const names = [...new Set(flags.tools)];
    const all = yield* Api.call(access, (client, options) =>
      change(client, { serverId, names }, options),
    );
    const decided = all.filter(({ name }) => names.includes(name));
    yield* Output.list(flags.json, decided, ["NAME", "STATE", "DESCRIPTION"], decided.map(toolRow));
  });

export const block = decide((client, args, options) => client.servers.blockTools(args, options));

export const unblock = decide((client, args, options) =>
  client.servers.unblockTools(args, options),
);
