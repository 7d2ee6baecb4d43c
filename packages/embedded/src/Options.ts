import type { ProcessSpawner } from "@quartermaster/core";
import type { Sandboxes } from "@quartermaster/mcp";
import type { Layer } from "effect";

/** The options of `Quartermaster.open`. */
export interface Options {
  /**
   * The folder of the database, attachments and packages of MCP servers. It is created with mode 0700
   * if it does not exist. Several processes on one machine may open the same folder.
   */
  readonly dataDir: string;
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
