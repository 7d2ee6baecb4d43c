import type { ProcessSpawner } from "@quartermaster/core";
import type { Sandboxes } from "@quartermaster/mcp";
import type { Layer } from "effect";

/** The options with which Quartermaster is opened. */
export interface Options {
  /**
   * The folder of the database, attachments and packages of MCP servers. It is created with mode 0700
   * if it does not exist. Several processes on one machine may open the same folder.
   */
  readonly dataDir: string;
  /**
   * The file of the master key, which encrypts the values of MCP servers. It is created with mode
   * 0600 and a random key if it does not exist. Without it those values are lost, so keep it with
   * your backups. Default: `secret-key` in `dataDir`, which is also where `quartermaster serve` looks.
   */
  readonly masterKeyFile?: string | undefined;
  /**
   * The failures that a write survives after its promise is resolved: `full` a power cut, `normal`
   * the death of the process. Default: `full`.
   */
  readonly durability?: "full" | "normal" | undefined;
  /** Files with further entries of the MCP catalog. Default: none. */
  readonly catalogFiles?: ReadonlyArray<string> | undefined;
  /**
   * The sandbox that programs of MCP servers are started in: `auto`, `direct`, `node`, `bubblewrap` or
   * `docker`. Default: `auto`.
   */
  readonly sandbox?: Sandboxes.Setting | undefined;
  /** Whether programs of Owners' catalog entries may be started without a sandbox. Default: false. */
  readonly allowDirect?: boolean | undefined;
  /** Absolute paths of folders that the sandboxes of Owners' catalog entries may open. Default: none. */
  readonly allowedPaths?: ReadonlyArray<string> | undefined;
  /** Starts programs of MCP servers instead of these sandboxes. */
  readonly spawner?: Layer.Layer<ProcessSpawner.ProcessSpawner> | undefined;
}
