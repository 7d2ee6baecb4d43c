import { assert, describe, it } from "@effect/vitest";
import { Effect } from "effect";
import * as ToolSearch from "../src/agents/toolbox/ToolSearch.ts";
import * as Endpoint from "./support/Endpoint.ts";

const tool = (name: string, description: string, title?: string) => ({
  name,
  definition: {
    name,
    description,
    ...(title === undefined ? {} : { title }),
    inputSchema: { type: "object" },
  },
});

const names = (found: ReadonlyArray<ToolSearch.Found>) => found.map(({ name }) => name);

const tools = [
  tool("github__create_issue", "Creates an issue. The body is Markdown.", "Create an issue"),
  tool("github__list_issues", "Lists the issues of a repository."),
  tool("slack__post", "Posts a message to a channel."),
  tool("db__query", "Runs a query of the database and returns its rows."),
];

describe("the search of tools", () => {
  it("[work.search.rank] ranks by words in name, title and description, rare words first", () => {
    assert.deepStrictEqual(names(ToolSearch.search(tools, "post a message", 5))[0], "slack__post");
    assert.deepStrictEqual(names(ToolSearch.search(tools, "create issue", 5)), [
      "github__create_issue",
      "github__list_issues",
    ]);
    assert.deepStrictEqual(names(ToolSearch.search(tools, "datab", 5)), ["db__query"]);
    assert.deepStrictEqual(ToolSearch.search(tools, "weather", 5), []);
    assert.deepStrictEqual(ToolSearch.search(tools, "create", 1), [
      { name: "github__create_issue", title: "Create an issue", summary: "Creates an issue." },
    ]);
  });

  it("[work.search.bytes] returns at most 8 KB", () => {
    const many = Array.from({ length: 50 }, (_, n) =>
      tool(`server__tool_${n}`, `Does ${"ü".repeat(400)} ${n}`, "T".repeat(300)),
    );
    const found = ToolSearch.search(many, "tool", 20);
    assert.isAbove(found.length, 5);
    assert.isAtMost(Buffer.byteLength(JSON.stringify(found)), 8_192);
  });

  const call = (name: string, args: object) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  });

  const connected = (toolMode: "direct" | "search") =>
    Effect.gen(function* () {
      const endpoint = yield* Endpoint.make({ toolMode });
      const session = yield* Endpoint.startSession(endpoint);
      const ask = (message: object) =>
        Effect.map(endpoint(message, session), ({ text }) => JSON.parse(text));
      const list = yield* ask({ jsonrpc: "2.0", id: 1, method: "tools/list" });
      const listed: ReadonlyArray<string> = list.result.tools.map(
        (each: { readonly name: string }) => each.name,
      );
      const use = (name: string, args: object) =>
        Effect.map(ask(call(name, args)), ({ error, result }) => result ?? error);
      return { listed, use };
    });

  it.effect(
    "[work.search] an agent in search mode lists, describes and calls tools by three tools",
    () =>
      Effect.gen(function* () {
        const { listed, use } = yield* connected("search");
        assert.deepStrictEqual(listed.slice(-3), ["search_tools", "describe_tool", "call_tool"]);
        assert.notInclude(listed, "fix__echo");
        const found = yield* use("search_tools", { query: "echo" });
        assert.deepStrictEqual(JSON.parse(found.content[0].text), [
          { name: "fix__echo", title: "", summary: "" },
        ]);
        const described = yield* use("describe_tool", { name: "fix__echo" });
        assert.deepInclude(JSON.parse(described.content[0].text), {
          name: "fix__echo",
          inputSchema: { type: "object" },
        });
        const args = { name: "fix__echo", arguments: { a: 1 } };
        assert.deepStrictEqual(yield* use("call_tool", args), yield* use("fix__echo", { a: 1 }));
        for (const [name, input] of [
          ["describe_tool", { name: "none" }],
          ["call_tool", { name: "none" }],
          ["search_tools", { query: "" }],
          ["search_tools", { query: "x", limit: 21 }],
        ] as const) {
          assert.isTrue((yield* use(name, input)).isError, name);
        }
        for (const name of ["call_tool", "describe_tool"]) {
          const near = yield* use(name, { name: "fix__ecco" });
          assert.deepInclude(JSON.parse(near.content[0].text), {
            detail: "There is no tool fix__ecco. Did you mean fix__echo?",
          });
          const own = yield* use(name, { name: "whoami" });
          assert.deepInclude(JSON.parse(own.content[0].text), {
            detail: "whoami is in your list of tools. Call it directly.",
          });
        }
      }),
  );

  it.effect("[work.search.direct] in direct mode there is no search", () =>
    Effect.gen(function* () {
      const { listed } = yield* connected("direct");
      assert.include(listed, "fix__echo");
      assert.notInclude(listed, "search_tools");
    }),
  );
});
