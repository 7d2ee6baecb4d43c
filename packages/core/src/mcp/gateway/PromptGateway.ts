import { Context, Effect, Layer, Option } from "effect";
import * as Principal from "../../access/Principal.ts";
import { NotFound, type StorageError } from "../../CommonErrors.ts";
import * as Span from "../../internal/Span.ts";
import type { Completion } from "../McpConnector.ts";
import { ToolUnavailable } from "../McpErrors.ts";
import { McpServerStore } from "../McpServerStore.ts";
import * as Outage from "../Outage.ts";
import * as Prompt from "../untrusted/Prompt.ts";
import * as ResourceUri from "../untrusted/ResourceUri.ts";
import * as Readings from "./internal/Readings.ts";
import { type NamedTool, ToolLists } from "./internal/ToolLists.ts";

/** The tool name under which requests of prompts appear in the records of calls. */
const getMethod = "prompts/get";

/** The advice for a failure without other information. */
const notReturned = "The prompt was not returned; it is safe to repeat.";
const notCompleted = "Nothing was completed; it is safe to repeat.";

interface GrantedPrompt extends Readings.Granted {
  readonly prompt: NamedTool;
}

type Read<A> = Effect.Effect<A, Readings.Unread, Principal.CurrentPrincipal>;

const withheld = (name: string) =>
  new ToolUnavailable({
    reason: "withheld",
    explanation: `The prompt ${name} is withheld until an Admin accepts it.`,
    advice: `The prompt ${name} is withheld until an Admin accepts it. Do without it.`,
  });

/**
 * The prompts that agents may use: the accepted ones of servers that are granted without a list of
 * tools. Also completes their arguments, and variables of templates of resources.
 */
export class PromptGateway extends Context.Service<
  PromptGateway,
  {
    /** Lists the prompts, oldest server first, each with its name for agents. Contacts no server. */
    list(agentId: string): Effect.Effect<ReadonlyArray<NamedTool>, StorageError>;
    /**
     * Returns the messages of a prompt. Fails with the server's own error as `RpcError`, without its
     * secrets.
     */
    get(
      agentId: string,
      name: string,
      args: Readonly<Record<string, unknown>>,
    ): Read<Prompt.PromptResult>;
    /** Completes an argument. Fails like `get`. Not recorded: it is sent with every key. */
    complete(agentId: string, completion: Completion): Read<Prompt.CompletionResult>;
  }
>()("@quartermaster/core/mcp/gateway/PromptGateway") {
  static readonly layerNoDeps = Layer.effect(
    PromptGateway,
    Effect.gen(function* () {
      const store = yield* McpServerStore;
      const lists = yield* ToolLists;
      const reading = yield* Readings.make;

      const list = Span.fn("PromptGateway.list")(function* (agentId: string) {
        const prompts = yield* Effect.forEach(yield* store.grants(agentId), (grant) =>
          Readings.isWhole(grant.permission) && Outage.isOffered(grant.server)
            ? lists.of(grant.server, "prompt")
            : Effect.succeed([]),
        );
        return prompts.flat().filter(({ state }) => state === "accepted");
      });

      const grantedOf = (agentId: string, server: string, unknown: NotFound) =>
        Effect.flatMap(store.offer(server, agentId), (offer) => {
          const granted = Option.getOrNull(Option.map(offer, Readings.grantedIn));
          return granted === null ? Effect.fail(unknown) : Effect.succeed(granted);
        });

      /** Names of servers have no underscore. */
      const promptOf = (agentId: string, name: string) =>
        Effect.gen(function* () {
          const unknown = new NotFound({ resource: "prompt", id: name });
          const granted = yield* grantedOf(agentId, name.split("__", 1)[0] ?? "", unknown);
          const prompt = yield* lists.named(granted.server, name, "prompt");
          if (prompt === undefined || prompt.state === "gone") return yield* unknown;
          if (prompt.state !== "accepted") return yield* withheld(name);
          const found: GrantedPrompt = { ...granted, prompt };
          return found;
        });

      const get = Span.fn("PromptGateway.get")(function* (
        agentId: string,
        name: string,
        args: Readonly<Record<string, unknown>>,
      ) {
        const [server = ""] = name.split("__", 1);
        const result = yield* reading({
          agentId,
          recordedAs: getMethod,
          content: { name, arguments: args },
          granted: promptOf(agentId, name),
          toolDigest: ({ prompt }) => prompt.definitionDigest,
          send: (connection, { prompt }, options) =>
            connection.getPrompt(prompt.definition.name, args, options),
          advice: notReturned,
        });
        return Prompt.namespacedResult(server, result);
      });

      const complete = Span.fn("PromptGateway.complete")(function* (
        agentId: string,
        completion: Completion,
      ) {
        const { ref } = completion;
        const request = {
          agentId,
          recordedAs: null,
          content: completion,
          toolDigest: () => null,
          advice: notCompleted,
        };
        if (ref.type === "ref/prompt") {
          return yield* reading({
            ...request,
            granted: promptOf(agentId, ref.name),
            send: (connection, { prompt }, options) => {
              const { name } = prompt.definition;
              return connection.complete({ ...completion, ref: { ...ref, name } }, options);
            },
          });
        }
        const unknown = new NotFound({ resource: "resource", id: ref.uri });
        const named = ResourceUri.parse(ref.uri);
        yield* Principal.requireActingFor(agentId);
        if (named === null) return yield* unknown;
        return yield* reading({
          ...request,
          granted: grantedOf(agentId, named.server, unknown),
          send: (connection, _, options) =>
            connection.complete({ ...completion, ref: { ...ref, uri: named.uri } }, options),
        });
      });

      return PromptGateway.of({ list, get, complete });
    }),
  );
}
