import { Effect } from "effect";
import { InvalidRequest, LimitExceeded, PreconditionFailed } from "../../../CommonErrors.ts";
import * as Input from "../../../Input.ts";
import * as Span from "../../../internal/Span.ts";
import { Transactor } from "../../../Transactor.ts";
import { ToolAcceptance, ToolNames } from "../../Tool.ts";
import { PinnedTools } from "../../tools/PinnedTools.ts";
import { Pins } from "../../tools/Pins.ts";
import { maxTools } from "../../untrusted/Definition.ts";
import * as Pinning from "../../untrusted/Pinning.ts";
import * as ServerRows from "./ServerRows.ts";

/** The names in a problem. */
const maxNames = 100;

const keyOf = ({ digest, name }: { readonly digest: string | null; readonly name: string }) =>
  `${digest} ${name}`;

export const notAsShown = (names: ReadonlyArray<string>) =>
  new PreconditionFailed({ version: null, names: names.slice(0, maxNames) });

/**
 * Accepts, blocks and unblocks tools and prompts. Each operation returns all of them after it. A
 * digest tells a prompt from a tool with its name.
 */
export const make = Effect.gen(function* () {
  const rows = yield* ServerRows.make;
  const pins = yield* Pins;
  const pinned = yield* PinnedTools;
  const { transact } = yield* Transactor;
  const decodeAcceptance = Input.decoder(ToolAcceptance);
  const decodeNames = Input.decoder(ToolNames);

  const pinnedOf = (serverId: string) => Effect.flatMap(rows.get(serverId), pinned.read);
  const toolsOf = (serverId: string) => Effect.map(pinnedOf(serverId), ({ tools }) => tools);

  const accept = Span.fn("McpServers.acceptTools")(function* (
    serverId: string,
    input: typeof ToolAcceptance.Encoded,
  ) {
    const { instructions = null, tools } = yield* decodeAcceptance(input);
    const named = tools.map(keyOf);
    const unseen = new Set(named);
    const repeated = named.findIndex((key) => !unseen.delete(key));
    if (repeated >= 0) {
      return yield* InvalidRequest.at(`tools.${repeated}.name`, "is named twice");
    }
    return yield* transact(
      Effect.gen(function* () {
        const recorded = yield* pinnedOf(serverId);
        const byDigest = new Map(recorded.tools.map((tool) => [keyOf(tool), tool]));
        const differing = tools.filter((tool) => !byDigest.has(keyOf(tool)));
        const isOther = instructions !== null && recorded.instructions?.digest !== instructions;
        if (differing.length > 0 || isOther) {
          return yield* notAsShown(differing.map(({ name }) => name));
        }
        const found = named.flatMap((key) => byDigest.get(key) ?? []);
        const keys = new Set(found.map(Pinning.keyOf));
        yield* pins.accept(serverId, keys, instructions !== null);
        return yield* toolsOf(serverId);
      }),
    );
  });

  const setBlocked = (blocked: boolean) =>
    Span.fn(blocked ? "McpServers.blockTools" : "McpServers.unblockTools")(function* (
      serverId: string,
      input: typeof ToolNames.Encoded,
    ) {
      const { names } = yield* decodeNames(input);
      return yield* transact(
        Effect.gen(function* () {
          yield* rows.get(serverId);
          yield* pins.block(serverId, new Set(names), blocked);
          const tools = yield* toolsOf(serverId);
          const unlisted = tools.filter(({ digest, reason }) => digest === null && reason === null);
          if (unlisted.length > maxTools) return yield* new LimitExceeded({ limit: maxTools });
          return tools;
        }),
      );
    });

  return { accept, block: setBlocked(true), unblock: setBlocked(false) };
});
