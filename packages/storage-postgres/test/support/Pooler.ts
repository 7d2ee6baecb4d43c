import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../http/test/support/freePort.ts";
import { otherUser } from "./Cluster.ts";

const folders = [...(process.env["PATH"] ?? "").split(":"), "/usr/sbin"];
const program = folders.map((folder) => join(folder, "pgbouncer")).find(existsSync);

/** PgBouncer in transaction mode, with 8 connections for any number of clients. */
export class Pooler {
  readonly port: number;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(folder: string, port: number, child: ChildProcess) {
    this.port = port;
    this.#folder = folder;
    this.#process = child;
  }

  /** Whether there is no PgBouncer. */
  static readonly isMissing = program === undefined;

  /** Starts it in front of a server, for these roles. */
  static async start(server: string, roles: ReadonlyArray<string>): Promise<Pooler> {
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), "quartermaster-pgbouncer-"));
    if (otherUser.uid !== undefined) await chown(folder, otherUser.uid, otherUser.gid);
    await writeFile(join(folder, "users.txt"), roles.map((role) => `"${role}" ""\n`).join(""));
    const settings = join(folder, "pgbouncer.ini");
    await writeFile(
      settings,
      `[databases]
* = host=127.0.0.1 port=${new URL(server).port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users.txt
pool_mode = transaction
default_pool_size = 8
ignore_startup_parameters = search_path
`,
    );
    const child = spawn(program ?? "", ["--quiet", settings], { ...otherUser, stdio: "ignore" });
    const pooler = new Pooler(folder, port, child);
    while (!(await pooler.#accepts())) await new Promise((resolve) => setTimeout(resolve, 20));
    return pooler;
  }

  async #accepts(): Promise<boolean> {
    const { exitCode } = this.#process;
    if (exitCode !== null) throw new Error(`PgBouncer exited with ${exitCode}`);
    const socket = connect(this.port, "127.0.0.1");
    return once(socket, "connect")
      .then(() => true)
      .catch(() => false)
      .finally(() => socket.destroy());
  }

  async end(): Promise<void> {
    if (this.#process.exitCode === null) {
      const exited = once(this.#process, "exit");
      this.#process.kill("SIGTERM");
      await exited;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}
