import type { Core, ProcessSpawner } from "@quartermaster/core";
import type { Sandboxes } from "@quartermaster/mcp";
import type { Layer } from "effect";

interface Common {
  /**
   * The folder of the database, attachments and packages of MCP servers; with `storage` only of
   * packages. It is created with mode 0700 if it does not exist. Several processes on one machine may
   * open the same folder.
   */
  readonly dataDir: string;
  /** Files with additional entries for the MCP catalog. Default: none. */
  readonly catalogFiles?: ReadonlyArray<string> | undefined;
  /**
   * The sandbox for programs of MCP servers: `auto`, `direct`, `node`, `bubblewrap` or `docker`.
   * Default: `auto`.
   */
  readonly sandbox?: Sandboxes.Setting | undefined;
  /** Whether programs of Owners' catalog entries may run without a sandbox. Default: false. */
  readonly allowDirect?: boolean | undefined;
  /** Absolute paths of folders that the sandboxes of Owners' catalog entries may open. Default: none. */
  readonly allowedPaths?: ReadonlyArray<string> | undefined;
  /** A spawner for programs of MCP servers that replaces the sandboxes. Default: none. */
  readonly spawner?: Layer.Layer<ProcessSpawner.ProcessSpawner> | undefined;
}

/** Everything is stored with SQLite in `dataDir`. */
export interface SqliteOptions extends Common {
  readonly storage?: undefined;
  readonly masterKey?: undefined;
  /**
   * The file of the master key, which encrypts the values of MCP servers. It is created with mode
   * 0600 and a random key if it does not exist. Without the key those values are lost, so back the
   * file up. Default: `secret-key` in `dataDir`, where `quartermaster serve` also looks.
   */
  readonly masterKeyFile?: string | undefined;
  /**
   * The failures that a write survives after its promise resolves: with `full` a power failure,
   * with `normal` a crash of the process. Default: `full`.
   */
  readonly durability?: "full" | "normal" | undefined;
}

/** Everything is stored in a database that programs and servers on several machines share. */
export interface SharedOptions extends Common {
  /** Such as `Storage.layerWithClock` of `@quartermaster/storage-postgres`. */
  readonly storage: Layer.Layer<Core.Storage, Error>;
  /**
   * The master key, which encrypts the values of MCP servers: 32 bytes in base64. Several keys are
   * separated by commas, the newest first. Every program and server of the database has the same.
   */
  readonly masterKey: string;
}

/** The options of `Quartermaster.open`. */
export type Options = SqliteOptions | SharedOptions;
