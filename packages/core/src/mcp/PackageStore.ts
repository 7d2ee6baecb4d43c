import { Context, type Effect } from "effect";
import type { Runtime, StdioManifest } from "./CatalogEntry.ts";
import type { ConnectorError } from "./McpConnector.ts";

/** The command that starts the program of a prepared package. */
export interface Program {
  readonly command: string;
  /** Arguments before the manifest's arguments. */
  readonly args: ReadonlyArray<string>;
  /** The files and folders of the package. */
  readonly files: ReadonlyArray<string>;
}

/** Port: prepares and stores the packages of MCP servers. */
export class PackageStore extends Context.Service<
  PackageStore,
  {
    /**
     * Fetches, checks and prepares the package, once per exact version, and returns its program.
     * Concurrent callers share one preparation. Fails with `prepareFailed` or `runtimeMissing`.
     */
    prepare(runtime: Runtime, manifest: StdioManifest): Effect.Effect<Program, ConnectorError>;
    /** Removes the packages that none of these manifests needs. */
    retain(manifests: ReadonlyArray<StdioManifest>): Effect.Effect<void>;
    /** The folder of a server, or of one agent's use of it. Creates it if it does not exist. */
    folder(serverId: string, agentId: string | null): Effect.Effect<string, ConnectorError>;
    /**
     * Returns whether a value contains a path in the data directory in any form, or is a folder
     * above it or in a file system of the kernel (/proc, /sys, /dev).
     */
    isForbiddenPath(value: string): Effect.Effect<boolean>;
    /** Whether a path, with its links resolved, is in a folder that the operator allows to entries of Owners. */
    isAllowedPath(path: string): Effect.Effect<boolean>;
    /** Removes the server's folders. */
    removeFolders(serverId: string): Effect.Effect<void>;
  }
>()("@quartermaster/core/mcp/PackageStore") {}
