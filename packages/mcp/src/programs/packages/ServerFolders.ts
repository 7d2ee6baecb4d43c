import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { PackageStore } from "@quartermaster/core";
import { Effect } from "effect";
import { prepareFailed } from "./Installation.ts";
import { removeTree } from "./Removal.ts";

const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 24);

/** Returns a generated id unchanged, and the digest of any other name. */
const fileName = (id: string) => (/^\w[\w-]{0,99}$/.test(id) ? id : digest(id));

/** The servers' own folders below `<dataDir>/servers`. */
export const make = (
  dataDir: string,
): Pick<(typeof PackageStore.PackageStore)["Service"], "folder" | "removeFolders"> => {
  const of = (serverId: string) => join(dataDir, "servers", fileName(serverId));

  const folder = Effect.fn("PackageStore.folder")((serverId: string, agentId: string | null) => {
    const path = join(of(serverId), agentId === null ? "shared" : `agent-${digest(agentId)}`);
    return Effect.tryPromise({
      try: async () => {
        await mkdir(path, { recursive: true, mode: 0o700 });
        return path;
      },
      catch: () => prepareFailed("The server's folder could not be created."),
    });
  });

  const removeFolders = Effect.fn("PackageStore.removeFolders")((serverId: string) =>
    Effect.tryPromise(() => removeTree(of(serverId))).pipe(
      Effect.catch((error) =>
        Effect.logWarning("Cannot remove the folders of an MCP server", error),
      ),
    ),
  );

  return { folder, removeFolders };
};
