import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it, vi } from "@effect/vitest";
import { Proxy } from "./Proxy.ts";
import { scene } from "./WorkScene.ts";

interface Entry {
  readonly stream: string;
  readonly text: string;
}

const logOf = async (
  call: (method: string, path: string) => Promise<{ readonly body: unknown }>,
  runId: unknown,
) => {
  const { body } = await call("GET", `/api/agents/bot/runs/${String(runId)}/log`);
  return (body as { readonly entries: ReadonlyArray<Entry> }).entries;
};

const textOf = (entries: ReadonlyArray<Entry>, stream: string) =>
  entries
    .filter((entry) => entry.stream === stream)
    .map(({ text }) => text)
    .join("");

describe("quartermaster work", { timeout: 90_000 }, () => {
  it("[runner.log] output is in the log of the run while the command works, and on stderr with the issue's short id", async () => {
    const { assigned, call, env, folder, runs, start, write } = await scene();
    const issue = await assigned("long");
    const script = await write(
      [
        'printf "caf\\303"; printf "\\251 \\033[31mred\\033[0m\\n"; echo "problem $QM_KEY" >&2',
        'while [ ! -e "$HOME/go" ]; do sleep 0.05; done',
        "printf 'last words'",
      ].join("\n"),
    );
    const runner = start(["work", "--once", "--", script], env);
    await runner.reports("problem");
    const [run] = await runs();
    await vi.waitFor(
      async () => assert.include(textOf(await logOf(call, run?.["id"]), "stdout"), "red"),
      { timeout: 30_000 },
    );
    await writeFile(join(folder, "go"), "");
    assert.strictEqual(await runner.exited, 0, runner.stderr);
    const entries = await logOf(call, run?.["id"]);
    assert.strictEqual(textOf(entries, "stdout"), "café \u001b[31mred\u001b[0m\nlast words");
    assert.strictEqual(textOf(entries, "stderr"), "problem [secret]\n");
    const label = issue.id.slice(-6);
    assert.includeMembers(runner.stderr.split("\n"), [
      `${label} café red`,
      `${label} problem [secret QM_KEY]`,
      `${label} last words`,
    ]);
  });

  it("[runner.log] a quiet runner shows no output, and output while the server is away is sent afterwards", async () => {
    const { assigned, call, env, folder, runs, start, url, write } = await scene();
    const proxy = await Proxy.before(url);
    await assigned("long");
    const script = await write(
      [
        'echo first; touch "$HOME/working"; while [ ! -e "$HOME/away" ]; do sleep 0.05; done',
        'echo second; while [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo third',
      ].join("\n"),
    );
    const runner = start(["work", "--once", "--quiet", "--", script], {
      ...env,
      QM_URL: proxy.url,
    });
    const stored = async () => textOf(await logOf(call, (await runs())[0]?.["id"]), "stdout");
    await vi.waitFor(async () => assert.strictEqual(await stored(), "first\n"), {
      timeout: 30_000,
    });
    proxy.mode = "busy";
    await writeFile(join(folder, "away"), "");
    await runner.reports("Trying again");
    proxy.mode = "open";
    await runner.reports("reachable again");
    await writeFile(join(folder, "go"), "");
    assert.strictEqual(await runner.exited, 0, runner.stderr);
    assert.strictEqual(await stored(), "first\nsecond\nthird\n");
    assert.notInclude(runner.stderr, "second");
  });
});
