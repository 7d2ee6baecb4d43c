import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NodeServices } from "@effect/platform-node";
import { assert, describe, it } from "@effect/vitest";
import { ConfigProvider, Effect, FileSystem, Layer } from "effect";
import type * as CommandOutput from "../src/work/CommandOutput.ts";
import * as Hosts from "../src/work/hosts/Hosts.ts";
import * as Program from "../src/work/Program.ts";

/** Files whose writes take 300 ms. */
const slowFiles = Layer.effect(
  FileSystem.FileSystem,
  Effect.map(FileSystem.FileSystem, (files) => ({
    ...files,
    writeFileString: (...args: Parameters<typeof files.writeFileString>) =>
      Effect.delay(files.writeFileString(...args), "300 millis"),
  })),
);

const folderOf = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "quartermaster-sessions-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true })),
);

describe("the session of a host", () => {
  it.live.each(["ends", "is stopped"])(
    "[runner.hosts] the session is stored when the host %s, also if it ends immediately",
    (how) =>
      Effect.gen(function* () {
        const folder = yield* folderOf;
        const program = join(folder, "host");
        const last = how === "ends" ? "" : "exec sleep 60";
        writeFileSync(program, `#!/bin/sh\necho session\n${last}\n`, { mode: 0o755 });
        const host = { ...Hosts.forRun("codex"), program };
        const printed = Promise.withResolvers<void>();
        let onSession = (_session: string): void => {};
        const output: CommandOutput.CommandOutput = {
          host,
          onStdout: () => {
            onSession("session_1");
            printed.resolve();
          },
          onStderr: () => {},
          text: { stdout: "", stderr: "" },
          onSession: (act) => (onSession = act),
          isRefused: () => false,
          forget: () => {},
          usage: { add: () => {}, rest: () => ({}), send: () => Effect.void },
          end: Effect.void,
        };
        const run = {
          agentId: "bot",
          issueId: "issue_1",
          runId: "run_1",
          url: "http://127.0.0.1:1",
          mcpConfig: join(folder, "mcp.json"),
        };
        const config = ConfigProvider.layer(ConfigProvider.fromUnknown({ XDG_STATE_HOME: folder }));
        const group = yield* Program.start("codex", output, run, {
          command: "",
          args: [],
          folder,
          environment: { PATH: process.env["PATH"] ?? "" },
          stdin: "",
          onStdout: output.onStdout,
          onStderr: output.onStderr,
        }).pipe(
          Effect.provide(
            Layer.merge(slowFiles.pipe(Layer.provideMerge(NodeServices.layer)), config),
          ),
        );
        yield* Effect.promise(() => printed.promise);
        yield* how === "ends" ? group.ended : group.stop(5_000, Effect.never);
        const sessions = join(folder, "quartermaster", "sessions");
        const [file = ""] = readdirSync(sessions);
        const stored = JSON.parse(readFileSync(join(sessions, file), "utf8"));
        assert.deepStrictEqual(stored, { session: "session_1", pid: group.pid });
      }),
    20_000,
  );
});
