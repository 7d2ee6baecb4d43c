import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Effect } from "effect";

/** A folder that is removed with the scope. */
export const folder = Effect.acquireRelease(
  Effect.promise(async () => realpath(await mkdtemp(join(tmpdir(), "qm-mcp-")))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true })),
);
