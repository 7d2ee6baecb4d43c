import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { project, root, runNode } from "./programs.ts";

/**
 * The examples in doc comments. Each exports `example`: an effect over the services of
 * `TestCore.layerMcp`, as the user ada, or a function. The comment in its last marked line is the
 * result as JSON.
 */

interface Example {
  readonly name: string;
  readonly text: string;
  readonly expected: string;
}

const examplesIn = (path: string): ReadonlyArray<Example> =>
  [
    ...readFileSync(join(root, path), "utf8").matchAll(
      /^ *\* @example\n *\* ```ts\n(.*?)^ *\* ```$/gms,
    ),
  ].map(([, block = ""], index) => {
    const text = block.replaceAll(/^ *\* ?/gm, "");
    const expected = [...text.matchAll(/[;,] \/\/ (.*)$/gm)].at(-1)?.[1] ?? "";
    return { name: `${path}:${index + 1}`, text, expected };
  });

const examples = globSync("packages/*/src/**/*.ts", { cwd: root })
  .toSorted()
  .flatMap((path) => examplesIn(path.replaceAll("\\", "/")));

const fileOf = (index: number) => `example${index}.ts`;

/**
 * Runs every example and prints its result, by name. The compiler checks that the services suffice.
 */
const runner = `
import { Principal } from "@quartermaster/core";
import { TestCore } from "@quartermaster/testing";
import { Effect, type Scope } from "effect";
${examples.map((_, index) => `import { example as example${index} } from "./${fileOf(index)}";`).join("\n")}

type Runnable =
  | Effect.Effect<unknown, unknown, TestCore.McpServices | Principal.CurrentPrincipal | Scope.Scope>
  | (() => unknown);

const examples: ReadonlyArray<Runnable> = [${examples.map((_, index) => `example${index}`).join(", ")}];

const results = [];
for (const example of examples) {
  const effect =
    typeof example === "function" ? Effect.promise(async () => example()) : Effect.scoped(example);
  results.push(
    await effect.pipe(
      Effect.provideService(Principal.CurrentPrincipal, Principal.user("ada")),
      Effect.provide(TestCore.layerMcp),
      Effect.map((value) => JSON.stringify(value)),
      Effect.catchCause((cause) => Effect.succeed(String(cause))),
      Effect.runPromise,
    ),
  );
}
console.log(JSON.stringify(results));
process.exit();
`;

describe("Examples in doc comments", () => {
  it("compile, run and return the documented result", { timeout: 240_000 }, async () => {
    const files = examples.map(({ text }, index) => ({ file: fileOf(index), text }));
    const cwd = await project([...files, { file: "run.ts", text: runner }]);
    const { code, stderr, stdout } = await runNode(join(cwd, "run.ts"), { cwd });
    assert.strictEqual(code, 0, stderr);
    const results: ReadonlyArray<string> = JSON.parse(stdout);
    assert.deepStrictEqual(
      examples.map(({ name }, index) => `${name} ${results[index]}`),
      examples.map(({ name, expected }) => `${name} ${expected}`),
    );
    assert.isAtLeast(examples.length, 25);
  });
});
