import { Context, Effect, Layer } from "effect";
import { Digest } from "effect/crypto";
import { Hex } from "effect/encoding";
import type { StorageError } from "../../CommonErrors.ts";
import type { InstalledServerRow } from "../InstalledServer.ts";
import * as Instructions from "../Instructions.ts";
import { McpServerStore } from "../McpServerStore.ts";
import * as Once from "../Once.ts";
import { canonical, canonicalOf, type ServerTool, tokensOf, type ToolKind } from "../Tool.ts";
import * as Pinning from "../untrusted/Pinning.ts";

/** A server's tools and prompts with their digests. */
export interface Pinned {
  /** Tools first. */
  readonly tools: ReadonlyArray<ServerTool>;
  /** The server's instructions; null for none. */
  readonly instructions: Instructions.Instructions | null;
  /** SHA-256 of the listed tools and prompts and the instructions; null before the first list. */
  readonly digest: string | null;
  /** Estimated tokens that the accepted tools cost an agent's model. */
  readonly tokens: number;
}

/** The number of servers whose tools stay in memory. */
const maxCached = 1_000;

/** The tools and prompts of servers in the form for Admins. */
export class PinnedTools extends Context.Service<
  PinnedTools,
  {
    /** Reads the tools, in the server's order. */
    read(server: InstalledServerRow): Effect.Effect<Pinned, StorageError>;
    /**
     * Reads the same tools, and caches them until any node writes the tools. Not for use after a
     * write in the same transaction: after a rollback another write may get the same version.
     */
    of(server: InstalledServerRow): Effect.Effect<Pinned, StorageError>;
  }
>()("@quartermaster/core/mcp/tools/PinnedTools") {
  static readonly layer = Layer.effect(
    PinnedTools,
    Effect.gen(function* () {
      const store = yield* McpServerStore;
      const { digest } = yield* Digest.Digest;
      const encoder = new TextEncoder();
      const cache = new Map<string, { readonly version: string; readonly pinned: Pinned }>();

      const hash = (text: string) =>
        Effect.map(digest(Digest.sha256, encoder.encode(text)), Hex.encode);

      const instructionsOf = (pinned: Instructions.PinnedInstructions) => {
        const state = Instructions.stateOf(pinned);
        const { accepted, current } = pinned;
        return state === null
          ? Effect.succeed(null)
          : Effect.map(hash(current ?? accepted ?? ""), (digest) => ({
              state,
              digest,
              accepted,
              current,
            }));
      };

      const read = Effect.fnUntraced(function* (server: InstalledServerRow) {
        const rows = (yield* store.tools(server.id)).map(Pinning.judged);
        const tools = yield* Effect.forEach(rows, (row) =>
          Effect.gen(function* () {
            const { accepted, current, kind, name, problem } = row;
            const isTool = kind === "tool";
            const shown = current ?? accepted;
            const tool: ServerTool = {
              name,
              kind,
              state: Pinning.stateOf(row),
              reason: problem,
              digest: shown === null ? null : yield* hash(canonicalOf(shown)),
              tokens: shown === null || !isTool ? 0 : tokensOf(shown),
              once: isTool && Once.ruleFor(server, name, accepted ?? current) !== null,
              accepted,
              current,
            };
            return tool;
          }),
        );
        const listedAs = (wanted: ToolKind) =>
          tools
            .filter(({ current, kind, reason }) => kind === wanted && (current ?? reason) !== null)
            .map(({ digest, name, reason }) => [name, digest ?? reason])
            .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
        const { instructions } = server;
        const { current } = instructions;
        const listed = listedAs("tool");
        const prompts = listedAs("prompt");
        const whole =
          prompts.length > 0
            ? [listed, current, prompts]
            : current === null
              ? listed
              : [listed, current];
        const accepted = tools.filter(({ state }) => state === "accepted");
        return {
          tools,
          instructions: yield* instructionsOf(instructions),
          digest: server.known ? yield* hash(canonical(whole)) : null,
          tokens: accepted.reduce((sum, { tokens }) => sum + tokens, 0),
        };
      });

      const of = Effect.fnUntraced(function* (server: InstalledServerRow) {
        const version = `${server.known}/${server.toolsVersion}/${JSON.stringify(server.once)}`;
        const cached = cache.get(server.id);
        if (cached?.version === version) return cached.pinned;
        const pinned = yield* read(server);
        cache.set(server.id, { version, pinned });
        if (cache.size > maxCached) cache.delete(cache.keys().next().value ?? "");
        return pinned;
      });

      return PinnedTools.of({ read, of });
    }),
  );
}
