import { readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import type { UsageReport } from "@quartermaster/client";
import { assertFields } from "../../http/test/support/Assert.ts";
import * as Hosts from "../src/work/hosts/Hosts.ts";
import { HostStream } from "../src/work/hosts/HostStream.ts";
import * as HostUsage from "../src/work/hosts/HostUsage.ts";
import * as Limits from "../src/work/Limits.ts";
import { scene } from "./WorkScene.ts";

/** Recorded output: stdout, then stderr. The name has the host and its version. */
const folder = join(import.meta.dirname, "hosts");

const fixture = (name: string, kind: string) =>
  readdirSync(folder).find((file) => file.startsWith(`${name}-`) && file.endsWith(`.${kind}.txt`));

const read = (name: Hosts.Name, bytes: Buffer) => {
  let log = "";
  const sessions: Array<string> = [];
  const usage: Array<UsageReport> = [];
  const host = Hosts.forRun(name);
  const stream = new HostStream(
    host,
    (text) => (log += text),
    (session) => sessions.push(session),
    (report) => usage.push(report),
  );
  // Chunks cut lines and characters.
  for (let at = 0; at < bytes.length; at += 7) stream.push(bytes.subarray(at, at + 7));
  stream.end();
  return { answer: stream.answer, failure: stream.failure, host, log, sessions, usage };
};

const recorded = (name: Hosts.Name, kind: string) => {
  const file = fixture(name, kind);
  assert.isDefined(file, `${name} ${kind}`);
  return readFileSync(join(folder, file ?? ""));
};

/** The scripted model of the recordings has 100 input tokens, 40 of them cached, and 20 of output, 5 of them reasoning. */
const usages: Readonly<Record<Hosts.Name, ReadonlyArray<object>>> = {
  claude: [
    {
      key: "6ce93b7c-8c95-4013-88f1-15fc9f0de284-0",
      model: "claude-opus-5-5",
      inputTokens: 2,
      outputTokens: 2,
      requests: 2,
      costMicros: 48,
    },
  ],
  codex: [
    {
      key: "thread-200-40",
      model: "codex",
      inputTokens: 200,
      cacheReadTokens: 80,
      outputTokens: 40,
      reasoningTokens: 10,
      cumulative: true,
      session: /^[0-9a-f]{32}$/,
    },
  ],
  gemini: [
    {
      key: "2026-11-24T02:48:03.940Z-0",
      model: "gemini-2.5-pro",
      inputTokens: 200,
      cacheReadTokens: 80,
      outputTokens: 50,
      reasoningTokens: 10,
    },
  ],
  opencode: ["prt_20b68916c001o0G6e4u2UHJGCW", "prt_20b68920b001UHvHwCp2BjYKZp"].map((key) => ({
    key,
    model: "opencode",
    inputTokens: 100,
    cacheReadTokens: 40,
    outputTokens: 20,
    reasoningTokens: 5,
  })),
};

describe("the streams of hosts", () => {
  it("[runner.usage] odd numbers of a host become numbers that the service accepts", () => {
    const numbers = { input: -3, output: 1e12, cacheRead: 5, reasoning: Number.NaN, cost: -1 };
    assert.deepStrictEqual(HostUsage.usageOf("k".repeat(65), " m ", numbers), {
      key: HostUsage.hashOf("k".repeat(65)),
      model: "m",
      inputTokens: 5,
      outputTokens: 10_000_000_000,
      cacheReadTokens: 5,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
      costMicros: 0,
      isTotal: false,
    });
  });

  it("[runner.usage] the user's arguments name the model of Codex and opencode", () => {
    for (const args of [["-m", "gpt"], ["--full-auto", "--model", "gpt"], ["--model=gpt"]]) {
      assert.strictEqual(HostUsage.modelIn(args), "gpt");
    }
    assert.isUndefined(HostUsage.modelIn(["--full-auto", "-m"]));
  });

  for (const name of Hosts.names) {
    it(`[runner.hosts] ${name} reports its session, its tools and its final text`, () => {
      const { answer, failure, log, sessions } = read(name, recorded(name, "success"));
      assert.strictEqual(answer, "All done.\n\n- **one**\n- two");
      assert.isNull(failure);
      assert.lengthOf(sessions, 1);
      assert.match(log, /^> .*echo hello/m);
      assert.match(log, /^< .*hello/m);
      assert.include(log, "- **one**");
      assert.notInclude(log, '"type"');
    });

    it(`[runner.usage] ${name} reports tokens and cost, with keys that a repeat does not change`, () => {
      const { sessions, usage } = read(name, recorded(name, "success"));
      assertFields({ usage }, { usage: usages[name].map((one) => ({ ...one, source: "runner" })) });
      assert.deepStrictEqual(read(name, recorded(name, "success")).usage, usage);
      for (const session of sessions) assert.notInclude(JSON.stringify(usage), session);
    });

    it(`[runner.hosts] ${name} refuses a session that it does not have`, () => {
      const bytes = recorded(name, "refused");
      assert.match(bytes.toString("utf8"), Hosts.forRun(name).refusal);
    });

    it(`[runner.hosts] ${name}: unknown lines and events change nothing`, () => {
      const more = Buffer.from('no JSON\nnull\n7\n[]\n{"type":"new"}\n{"type":"item.completed"}\n');
      const { answer, log } = read(name, Buffer.concat([more, recorded(name, "success")]));
      assert.strictEqual(answer, "All done.\n\n- **one**\n- two");
      assert.include(log, "no JSON\n");
    });

    const kinds = ["limit", "login"].filter((kind) => fixture(name, kind) !== undefined);
    for (const kind of kinds) {
      it(`[runner.hosts] the recorded ${kind} of ${name} opens the breaker`, () => {
        const { failure, log } = read(name, recorded(name, kind));
        const limit = Limits.limitIn(`${log}\n${failure ?? ""}`, 0);
        assert.match(limit?.reason ?? "", kind === "limit" ? /usage limit/ : /not signed in/);
      });
    }
  }
});

describe("quartermaster work --with", { timeout: 90_000 }, () => {
  it("[runner.hosts] [runner.usage] [runs.worker] a host's final text is the comment, and the next attempt continues its session or starts a new one", async () => {
    const { assigned, comments, env, folder: home, runs, call, start, write } = await scene();
    const issue = await assigned("For Codex");
    const script = await write(
      [
        'echo "$@" >> "$HOME/args"',
        "cat > /dev/null",
        `case "$*" in *" resume "*) echo "Error: thread/resume failed: no rollout" >&2; exit 1;; esac`,
        `cat '${join(folder, fixture("codex", "success") ?? "")}'`,
        'test -e "$HOME/second" || { touch "$HOME/second"; exit 1; }',
      ].join("\n"),
    );
    await writeFile(join(home, "codex"), `#!/bin/sh\nexec '${script}' "$@"\n`, { mode: 0o755 });
    const variables = { ...env, PATH: `${home}:${process.env["PATH"]}` };
    const first = start(["work", "--once", "--with", "codex", "--", "--full-auto"], variables);
    assert.strictEqual(await first.exited, 1, first.stderr);
    const [run] = await runs();
    assertFields(run?.["worker"] ?? {}, { host: /./, pid: first.child.pid });
    const { body } = await call(
      "GET",
      `/api/agents/bot/runs/${String(run?.["id"])}/log?stream=host`,
    );
    assert.include(JSON.stringify(body), "echo hello");

    const second = start(["work", "--once", "--with", "codex", "--", "--full-auto"], variables);
    assert.strictEqual(await second.exited, 0, second.stderr);
    assert.strictEqual((await comments(issue)).at(-1), "All done.\n\n- **one**\n- two");
    const lines = (await readFile(join(home, "args"), "utf8")).trim().split("\n");
    assert.lengthOf(lines, 3);
    assert.match(lines[1] ?? "", /--full-auto resume [0-9a-f-]{36} -$/);
    assert.match(lines[2] ?? "", /--full-auto -$/);

    // Both attempts printed the totals of the same thread.
    const usage = await call("GET", `/api/projects/issues/${issue.id}/usage`);
    assertFields(usage.body, { runs: 2, inputTokens: 200, outputTokens: 40, runsWithoutUsage: 0 });
  });

  it("[runner.hosts.missing] without its extension, or where the extension is disabled, Gemini CLI is refused before an issue starts", async () => {
    const { assigned, comments, env, folder: home, runs, start } = await scene();
    const issue = await assigned("For Gemini CLI");
    const listOf = (isEnabled: boolean) =>
      [
        "✓ other (1.0.0)",
        " Enabled (Workspace): true",
        "",
        "✓ quartermaster (0.1.0)",
        " Path: /plugins/gemini",
        " Enabled (User): true",
        ` Enabled (Workspace): ${isEnabled}`,
        " MCP servers:",
        "  quartermaster",
      ].join("\n");
    const program = [
      "#!/bin/sh",
      `case "$*" in "extensions list") cat "$HOME/list" >&2; exit;; esac`,
      "cat > /dev/null",
      `cat '${join(folder, fixture("gemini", "success") ?? "")}'`,
    ];
    await writeFile(join(home, "gemini"), `${program.join("\n")}\n`, { mode: 0o755 });
    const variables = { ...env, PATH: `${home}:${process.env["PATH"]}` };
    const work = async (list: string) => {
      await writeFile(join(home, "list"), list);
      const runner = start(["work", "--once", "--with", "gemini"], variables);
      return { code: await runner.exited, stderr: runner.stderr };
    };
    for (const list of ["No extensions installed.", listOf(false)]) {
      const { code, stderr } = await work(list);
      assert.strictEqual(code, 1, stderr);
      assert.include(stderr, "gemini extensions link plugins/gemini");
    }
    assert.lengthOf(await runs(), 0);
    const { code, stderr } = await work(listOf(true));
    assert.strictEqual(code, 0, stderr);
    assert.strictEqual((await comments(issue)).at(-1), "All done.\n\n- **one**\n- two");
  });
});
