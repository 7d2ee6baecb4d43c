import type { SessionInfo } from "@quartermaster/client";
import { Effect, Option, Redacted, Stdio } from "effect";
import { Prompt } from "effect/cli";
import * as Api from "../Api.ts";
import { usage } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import { variable } from "../Environment.ts";
import * as Input from "../Input.ts";
import * as Look from "../Look.ts";
import * as Output from "../Output.ts";
import * as StoredLogin from "../StoredLogin.ts";

/** The principal in words. */
export const describe = ({ principal }: Pick<SessionInfo, "principal">): string => {
  const where = principal.projects === null ? "all projects" : principal.projects.join(", ");
  return `${principal.type.toLowerCase()} ${principal.id}, ${principal.role} of ${where}`;
};

export const get = (access: Api.Access) =>
  Api.call(access, (client, options) => client.session.get({}, options));

/** The agent that the command acts for: the named one, else `QM_AGENT_ID`, else the key's. */
export const agentOf = Effect.fnUntraced(function* (
  access: Api.Access,
  agent: Option.Option<string>,
) {
  const named = Option.getOrNull(agent) ?? (yield* variable("QM_AGENT_ID"));
  const agentId = named ?? (yield* get(access)).principal.agentId;
  return (
    agentId ?? (yield* usage("With a key that is not an agent's, name the agent with --agent."))
  );
});

const keyFor = Effect.fnUntraced(function* (url: string, keyFile: Option.Option<string>) {
  if (Option.isSome(keyFile)) return yield* Connection.readKeyFile(keyFile.value);
  const { key } = yield* Connection.fromEnvironment;
  if (key !== null) return key;
  const stdio = yield* Stdio.Stdio;
  if (yield* stdio.stdinIsTerminal) {
    return yield* Prompt.run(Prompt.Password({ message: `API key for ${url}` }));
  }
  return Redacted.make((yield* Input.stdin).trim());
});

/** `quartermaster login URL`: verifies the key, then stores the URL and the key. */
export const login = Effect.fnUntraced(function* (options: {
  readonly address: string;
  readonly keyFile: Option.Option<string>;
  readonly json: boolean;
}) {
  const url = yield* Connection.readUrl(options.address);
  const key = yield* keyFor(url, options.keyFile);
  if (Redacted.value(key).trim() === "") {
    return yield* usage(
      "No key was given. Type it, pipe it to stdin, or name a file with --key-file.",
    );
  }
  const session = yield* get({ url, key, runId: null });
  const file = yield* StoredLogin.write({ url, key });
  yield* Output.one(options.json, { url, file, ...session }, [
    `Logged in to ${url} as ${Output.cell(describe(session))}.`,
    `The key is stored in ${file}.`,
  ]);
});

/** `quartermaster logout`: removes the stored login. The key stays valid. */
export const logout = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  const removed = yield* StoredLogin.remove;
  yield* Output.one(json, { removed }, [
    removed ? "Logged out. The key itself stays valid until it is deleted." : "Not logged in.",
  ]);
});

/** `quartermaster whoami`. */
export const whoami = Effect.fnUntraced(function* (
  flags: Connection.Flags & { readonly json: boolean },
) {
  const access = yield* Connection.open(flags);
  const session = yield* get(access);
  const { expiresAt } = session;
  yield* Output.one(flags.json, { url: access.url, ...session }, (look) => [
    `${Output.cell(describe(session))}, at ${access.url}${expiresAt === null ? "" : `, expires ${Look.time(look, expiresAt)}`}`,
  ]);
});
