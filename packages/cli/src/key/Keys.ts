import type { ApiKeyCreate } from "@quartermaster/client";
import { Effect, Option } from "effect";
import * as Api from "../Api.ts";
import * as Connection from "../Connection.ts";
import * as Duration from "../Duration.ts";
import * as Lists from "../Lists.ts";
import * as Output from "../Output.ts";

export const create = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly name: string;
    readonly role: ApiKeyCreate["role"];
    readonly agent: Option.Option<string>;
    readonly user: Option.Option<string>;
    readonly project: ReadonlyArray<string>;
    readonly expires: Option.Option<string>;
  },
) {
  const access = yield* Connection.open(flags);
  const { expires } = flags;
  const expiresAt = Option.isSome(expires) ? yield* Duration.timeFromNow(expires.value) : undefined;
  const created = yield* Api.call(access, (client, options) =>
    client.keys.create(
      {
        name: flags.name,
        role: flags.role,
        agentId: Option.getOrUndefined(flags.agent),
        userId: Option.getOrUndefined(flags.user),
        projects: flags.project.length === 0 ? undefined : flags.project,
        expiresAt,
      },
      options,
    ),
  );
  // Prints only the key, so that the output can be written to a file.
  yield* Output.one(flags.json, created, [created.key]);
});

export const list = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & { readonly limit: number },
) {
  const access = yield* Connection.open(flags);
  const keys = yield* Lists.take(access, flags.limit, (client, options) =>
    client.keys.list({ limit: Lists.pageSize(flags.limit) }, options),
  );
  yield* Output.list(
    flags.json,
    keys,
    ["ID", "ROLE", "ACTS AS", "PROJECTS", "EXPIRES", "NAME"],
    keys.map((key) => [
      key.id,
      key.role,
      {
        draw: ({ isTerminal }) =>
          Output.cell(
            key.agentId === null
              ? (key.userId ?? (isTerminal ? "itself" : key.id))
              : `agent ${key.agentId}`,
          ),
      },
      key.projects === null ? "all" : key.projects.join(","),
      Output.time(key.expiresAt, "never"),
      key.name,
    ]),
  );
});

export const remove = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & { readonly key: string },
) {
  const access = yield* Connection.open(flags);
  yield* Api.call(access, (client, options) => client.keys.delete({ keyId: flags.key }, options));
  yield* Output.one(flags.json, { deleted: flags.key }, []);
});
