import { assert, describe, it } from "@effect/vitest";
import { Tool } from "@quartermaster/core";
import { Effect } from "effect";
import * as Endpoint from "./support/Endpoint.ts";

const listed = Effect.gen(function* () {
  const endpoint = yield* Endpoint.make();
  const { body, headers } = Endpoint.current("tools/list");
  const { text } = yield* endpoint(body, headers);
  const { tools }: { readonly tools: ReadonlyArray<Tool.ToolDefinition & { name: string }> } =
    JSON.parse(text).result;
  return tools.filter(({ name }) => !name.includes("__"));
}).pipe(Effect.scoped);

describe("the tools of the service", () => {
  it.effect("[work.tools.tokens] cost at most 4,500 tokens together", () =>
    Effect.gen(function* () {
      const costs = (yield* listed).map((tool) => [tool.name, Tool.tokensOf(tool)] as const);
      assert.isAtLeast(costs.length, 20);
      const sum = costs.reduce((total, [, tokens]) => total + tokens, 0);
      assert.isAtMost(sum, 4_500, JSON.stringify(costs));
    }),
  );

  it.effect("[work.tools.loaded] the work loop is marked for hosts that search tools", () =>
    Effect.gen(function* () {
      const marked = (yield* listed).filter((tool) => "_meta" in tool);
      assert.sameMembers(
        marked.map(({ name }) => name),
        ["work_next", "work_turn", "work_finish", "ask"],
      );
      for (const { _meta: meta } of marked) {
        assert.deepStrictEqual(meta, { "anthropic/alwaysLoad": true });
      }
    }),
  );
});
