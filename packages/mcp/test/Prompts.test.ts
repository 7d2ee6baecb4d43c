import { assert, describe, it } from "@effect/vitest";
import { Effect, Stream } from "effect";
import * as Fixture from "./support/Fixture.ts";
import * as World from "./support/World.ts";

const options = { timeoutMillis: 10_000 };

const completion = {
  ref: { type: "ref/prompt" as const, name: "review" },
  argument: { name: "path", value: "a" },
};

describe("prompts of a server", () => {
  for (const [era, ...args] of [
    ["2025-11-25", "prompts"],
    ["2026-07-28", "modern", "prompts"],
  ] as const) {
    it.live(`[connector.prompts] a connection lists, gets and completes prompts, with ${era}`, () =>
      World.withConnector((dataDir) =>
        Effect.gen(function* () {
          const connection = yield* Fixture.connect(dataDir, ...args);
          assert.deepStrictEqual(yield* connection.listPrompts, [
            { name: "review", arguments: [{ name: "path", required: true }] },
          ]);
          const got = yield* connection.getPrompt("review", { path: "a.ts" }, options);
          assert.deepInclude(got, {
            messages: [{ role: "user", content: { type: "text", text: 'review {"path":"a.ts"}' } }],
            "x-note": 1,
          });
          assert.deepInclude(yield* connection.complete(completion, options), {
            completion: { values: ["review a"], hasMore: false },
          });
          // Both lists are listed again.
          yield* Stream.runHead(connection.toolsChanged);
        }),
      ),
    );
  }

  it.live("[connector.prompts.none] a server without prompts is not asked for them", () =>
    World.withConnector((dataDir) =>
      Effect.gen(function* () {
        const connection = yield* Fixture.connect(dataDir);
        assert.deepStrictEqual(yield* connection.listPrompts, []);
        assert.deepStrictEqual(yield* connection.complete(completion, options), {
          completion: { values: [] },
        });
        assert.notInclude(Fixture.notes(dataDir), "prompts/list");
      }),
    ),
  );
});
