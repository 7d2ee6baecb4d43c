import { Context, Effect, Layer } from "effect";
import { SecureRandom } from "effect/crypto";
import { Base64Url } from "effect/encoding";
import type { StorageError } from "../CommonErrors.ts";
import * as TextMac from "../secrets/TextMac.ts";
import { Transactor } from "../Transactor.ts";
import { AgentSessionStore } from "./AgentSessionStore.ts";

/** The content of the id of an MCP session. None of it is secret. */
export interface AgentSession {
  readonly keyId: string;
  /** A date: MCP versions have this form. */
  readonly protocolVersion: string;
  /** The client's capabilities, as letters that the endpoint chooses. */
  readonly capabilities: string;
}

/** `<key id>.<protocol version>.<capabilities>.<16 random bytes>`, and its tag. Under 200 characters. */
const pattern =
  /^(([^.]{1,64})\.(\d{4}-\d{2}-\d{2})\.([a-z]{0,8})\.([A-Za-z0-9_-]{22}))\.([A-Za-z0-9_-]{43})$/;

const parse = (id: string) => {
  const [, text, keyId, protocolVersion, capabilities, nonce, tag] = pattern.exec(id) ?? [];
  return text === undefined ||
    keyId === undefined ||
    protocolVersion === undefined ||
    capabilities === undefined ||
    nonce === undefined ||
    tag === undefined
    ? null
    : { text, nonce, tag, session: { keyId, protocolVersion, capabilities } };
};

/**
 * The ids of agents' MCP sessions. An id carries the session, authenticated under the master keys,
 * so any node rebuilds a session from its id. Storage has only the sessions that were ended.
 */
export class AgentSessions extends Context.Service<
  AgentSessions,
  {
    /** Returns the id of a new session. */
    issue(session: AgentSession): Effect.Effect<string>;
    /**
     * Returns the content of an id; null unless it was issued to this key and its session was not
     * ended.
     */
    read(id: string, keyId: string): Effect.Effect<AgentSession | null, StorageError>;
    /** Returns whether the session of an issued id was ended. */
    isEnded(id: string): Effect.Effect<boolean, StorageError>;
    /** Ends the session of an issued id, for as long as its key exists. */
    end(id: string): Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/keys/AgentSessions") {
  static readonly layer = Layer.effect(
    AgentSessions,
    Effect.gen(function* () {
      const store = yield* AgentSessionStore;
      const random = yield* SecureRandom.SecureRandom;
      const { transact } = yield* Transactor;
      const mac = yield* TextMac.make("quartermaster/mcp-session");

      const issue = Effect.fnUntraced(function* (session: AgentSession) {
        const { capabilities, keyId, protocolVersion } = session;
        const nonce = Base64Url.encode(yield* random.randomBytes(16));
        const text = [keyId, protocolVersion, capabilities, nonce].join(".");
        return `${text}.${yield* mac.tag(text)}`;
      });

      const isEnded = (id: string) => {
        const parsed = parse(id);
        return parsed === null
          ? Effect.succeed(true)
          : store.isEnded(parsed.session.keyId, parsed.nonce);
      };

      const read = Effect.fnUntraced(function* (id: string, keyId: string) {
        const parsed = parse(id);
        if (parsed?.session.keyId !== keyId) return null;
        if (!(yield* mac.verify(parsed.text, parsed.tag))) return null;
        return (yield* isEnded(id)) ? null : parsed.session;
      });

      const end = (id: string) => {
        const parsed = parse(id);
        return parsed === null
          ? Effect.void
          : transact(store.end(parsed.session.keyId, parsed.nonce));
      };

      return AgentSessions.of({ issue, read, isEnded, end });
    }),
  );
}
