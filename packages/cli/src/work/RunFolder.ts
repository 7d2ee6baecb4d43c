import type { HeartbeatAnswer } from "@quartermaster/client";
import { Effect, FileSystem, Path } from "effect";
import * as NodeProcess from "../process/NodeProcess.ts";

type Started = HeartbeatAnswer["started"][number];

/**
 * A client configuration for `/mcp`. The client expands `${QM_KEY}`, so the file contains no
 * secret.
 */
const mcpConfig = (url: string, runId: string) => ({
  mcpServers: {
    quartermaster: {
      type: "http",
      url: `${url}/mcp`,
      headers: { Authorization: "Bearer ${QM_KEY}", "Quartermaster-Run": runId },
      timeout: 600_000,
    },
  },
});

const prefix = "quartermaster-run-";
const ownerOf = new RegExp(`^${prefix}(\\d+)-`);

/**
 * Removes the folders of runners that died. A folder's name contains the process id of its runner.
 */
export const removeDead = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem;
  const { join } = yield* Path.Path;
  for (const name of yield* fs.readDirectory(NodeProcess.temporaryFolder)) {
    const [, pid] = ownerOf.exec(name) ?? [];
    if (pid === undefined || NodeProcess.exists(Number(pid))) continue;
    // The folder of another user stays.
    yield* Effect.ignore(fs.remove(join(NodeProcess.temporaryFolder, name), { recursive: true }));
  }
}).pipe(Effect.ignore);

/** The files of a run, in a folder with mode 0700 that is removed with the scope. */
export const make = Effect.fnUntraced(function* (started: Started, url: string) {
  const fs = yield* FileSystem.FileSystem;
  const { join } = yield* Path.Path;
  const folder = yield* fs.makeTempDirectoryScoped({
    prefix: `${prefix}${NodeProcess.id}-`,
  });
  const write = (name: string, value: unknown) => {
    const file = join(folder, name);
    const text = `${JSON.stringify(value, null, 2)}\n`;
    return Effect.as(fs.writeFileString(file, text, { mode: 0o600 }), file);
  };
  const { attempt, issue, leaseExpiresAt, runId, ...more } = started;
  const issueFile = yield* write("issue.json", {
    run: { runId, attempt, leaseExpiresAt },
    issue,
    ...more,
  });
  return { issueFile, mcpConfig: yield* write("mcp.json", mcpConfig(url, runId)) };
});
