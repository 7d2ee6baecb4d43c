import { assert, describe, it } from "@effect/vitest";
import type { Command } from "effect/cli";
import { command } from "../../server/src/program/Program.ts";
import { home } from "./Command.ts";

/** Commands that would start a server, or read and write the data directory. */
const local = new Set(["serve", "rotate-key", "backup", "restore", "doctor", "mcp"]);

const leaves = (
  node: Command.Command.Any,
  path: ReadonlyArray<string> = [],
): ReadonlyArray<{ readonly path: string; readonly node: Command.Command.Any }> => {
  const children = node.subcommands.flatMap(({ commands }) =>
    commands.flatMap((child) => leaves(child, [...path, child.name])),
  );
  const isGroup = children.length > 0 && node.examples.length === 0;
  return isGroup ? children : [{ path: path.join(" "), node }, ...children];
};

/** The arguments of a line, split as a shell splits them. */
const split = (line: string) =>
  (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll(/^['"]|['"]$/g, ""));

describe("the help", { timeout: 60_000 }, () => {
  it("[cli.help] each command has one example, which it accepts", async () => {
    const { run } = await home();
    const all = leaves(command("0.0.0"));
    assert.isAbove(all.length, 60);
    assert.include((await run(["issue", "show"])).stderr, "Usage: quartermaster issue show");
    const env = { QM_URL: "http://127.0.0.1:9", QM_KEY: "k" };
    for (const { node, path } of all) {
      assert.lengthOf(node.examples, 1, path);
      const [program, ...args] = split(node.examples[0]?.command ?? "");
      assert.strictEqual(program, "quartermaster");
      assert.isTrue(args.join(" ").startsWith(path), `${args.join(" ")} is not ${path}`);
      if (local.has(path)) continue;
      // No server runs: a command that accepts its arguments fails without printing its usage.
      const { stderr, stdout } = await run(args, env);
      assert.notMatch(stdout + stderr, /usage:/i, path);
    }
  });

  it("[cli.help] summaries in lists have no full stop, descriptions end with one, and global flags are listed once", async () => {
    const { run } = await home();
    const { stdout: main } = await run(["--help"]);
    assert.include(main, "--completions");
    for (const group of ["", "issue", "work", "ask", "server", "tool", "agent", "key"]) {
      const { stdout } = await run([...group.split(" ").filter(Boolean), "--help"]);
      const list = stdout.split("SUBCOMMANDS\n")[1]?.split("\n\n")[0] ?? "";
      const lines = list.split("\n").filter((line) => line.trim() !== "");
      assert.isAtLeast(lines.length, 2, group);
      for (const line of lines) assert.notMatch(line, /\.$/, line);
      if (group !== "") assert.notInclude(stdout, "--completions");
    }
    for (const { node, path } of leaves(command("0.0.0"))) {
      // The description of `serve` ends with its variables.
      if (path !== "serve") assert.match(node.description ?? "", /\.$/, path);
    }
  });

  it("[cli.help] --help of a command prints its example, and completions know all commands", async () => {
    const { run } = await home();
    const help = await run(["server", "install", "--help"]);
    assert.strictEqual(help.code, 0);
    assert.include(help.stdout, "quartermaster server install github --env GITHUB_TOKEN");
    const { stdout } = await run(["--completions", "bash"]);
    for (const { path } of leaves(command("0.0.0"))) {
      assert.include(stdout, path.split(" ").at(-1) ?? "", path);
    }
  });
});
