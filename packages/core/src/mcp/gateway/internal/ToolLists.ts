import { Context, Effect, Layer, Predicate } from "effect";
import { Digest } from "effect/crypto";
import { Hex } from "effect/encoding";
import type { StorageError } from "../../../CommonErrors.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";
import * as ServerText from "../../ServerText.ts";
import { canonical, type ToolDefinition, type ToolKind, type ToolState } from "../../Tool.ts";
import type { AgentTool } from "../../ToolCall.ts";
import { PinnedTools } from "../../tools/PinnedTools.ts";

/** A tool or prompt of a server, with the name that agents use. */
export interface NamedTool {
  readonly name: string;
  readonly server: InstalledServerRow;
  readonly definition: ToolDefinition;
  readonly state: ToolState;
  /** An estimate of the tokens that the definition costs a model. */
  readonly tokens: number;
  /** The tool in the form in which an agent's list contains it. */
  readonly listed: AgentTool;
  /** The hash of that form. */
  readonly digest: string;
  /** The hash of the definition, which an Admin accepts; null if there is none. */
  readonly definitionDigest: string | null;
}

interface Cached {
  readonly version: string;
  readonly tools: ReadonlyArray<Omit<NamedTool, "server"> & { readonly kind: ToolKind }>;
}

const longest = 64;

/** The tools and prompts of servers, with names for agents. Reads them again after any node wrote them. */
export class ToolLists extends Context.Service<
  ToolLists,
  {
    /** All tools, or all prompts, in the server's order, in every state. */
    of(
      server: InstalledServerRow,
      kind?: ToolKind,
    ): Effect.Effect<ReadonlyArray<NamedTool>, StorageError>;
    /** The tool with this name. */
    named(
      server: InstalledServerRow,
      name: string,
      kind?: ToolKind,
    ): Effect.Effect<NamedTool | undefined, StorageError>;
    /** The revision of a list of these tools. */
    revision(tools: ReadonlyArray<NamedTool>): Effect.Effect<string>;
  }
>()("@quartermaster/core/mcp/gateway/internal/ToolLists") {
  static readonly layer = Layer.effect(
    ToolLists,
    Effect.gen(function* () {
      const pinned = yield* PinnedTools;
      const digest = yield* Digest.Digest;
      const encoder = new TextEncoder();
      const cache = new Map<string, Cached>();
      const hash = (text: string) =>
        Effect.map(digest.digest(Digest.sha256, encoder.encode(text)), Hex.encode);

      /**
       * `<server>__<tool>`. A name that is too long or has other characters is cut and ends in a
       * hash.
       */
      const nameFor = Effect.fnUntraced(function* (server: string, tool: string) {
        const full = `${server}__${tool}`;
        if (full.length <= longest && /^[A-Za-z0-9_-]*$/.test(full)) return full;
        const suffix = `_${(yield* hash(full)).slice(0, 12)}`;
        return full.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, longest - suffix.length) + suffix;
      });

      const read = Effect.fnUntraced(function* (server: InstalledServerRow) {
        const { tools } = yield* pinned.read(server);
        return yield* Effect.forEach(tools, (pinned) =>
          Effect.gen(function* () {
            const {
              accepted,
              current,
              digest: definitionDigest,
              kind,
              name: tool,
              state,
              tokens,
            } = pinned;
            const definition = {
              ...ServerText.quotedDefinition({ ...(accepted ?? current) }),
              name: tool,
            };
            const name = yield* nameFor(server.name, tool);
            const listed = listing(name, server.name, definition);
            const digest = yield* hash(canonical(listed));
            return { kind, name, definition, state, tokens, listed, digest, definitionDigest };
          }),
        );
      });

      const known = Effect.fnUntraced(function* (server: InstalledServerRow) {
        const version = `${server.toolsVersion}/${server.name}`;
        let cached = cache.get(server.id);
        if (cached?.version !== version) {
          cached = { version, tools: yield* read(server) };
          cache.set(server.id, cached);
          if (cache.size > 1_000) cache.delete(cache.keys().next().value ?? "");
        }
        return cached.tools;
      });

      const of = (server: InstalledServerRow, kind: ToolKind = "tool") =>
        Effect.map(known(server), (tools) =>
          tools.filter((tool) => tool.kind === kind).map((tool) => ({ ...tool, server })),
        );

      const named = (server: InstalledServerRow, name: string, kind: ToolKind = "tool") =>
        Effect.map(known(server), (tools) => {
          const tool = tools.find((one) => one.name === name && one.kind === kind);
          return tool === undefined ? undefined : { ...tool, server };
        });

      const revision = (tools: ReadonlyArray<NamedTool>) =>
        Effect.map(hash(tools.map((tool) => tool.digest).join("\n")), (hex) => hex.slice(0, 16));

      return ToolLists.of({ of, named, revision });
    }),
  );
}

const listing = (name: string, server: string, definition: ToolDefinition): AgentTool => ({
  name,
  server,
  tool: definition.name,
  title: text(definition["title"]),
  description: text(definition["description"]),
  inputSchema: object(definition["inputSchema"]) ?? {},
  annotations: object(definition["annotations"]),
});

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

const object = (value: unknown): Readonly<Record<string, unknown>> | null =>
  Predicate.isReadonlyObject(value) ? value : null;
