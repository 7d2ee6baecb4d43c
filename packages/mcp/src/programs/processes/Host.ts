/* oxlint-disable no-restricted-globals --
   The only module of the package that sees the process: its environment, platform, ids, signals, priorities and modules. */
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { Context } from "effect";

/** The host that runs programs. Tests provide a fake one. */
export const Host = Context.Reference<{
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The running Node.js. It also runs packages of the `node` runtime. */
  readonly node: { readonly path: string; readonly version: string };
}>("@quartermaster/mcp/programs/processes/Host", {
  defaultValue: () => ({
    environment: process.env,
    platform: process.platform,
    node: { path: process.execPath, version: process.version },
  }),
});

/** Node's HTTP modules. An import would read their names for Undici, which takes 75 ms. */
export const http = () => process.getBuiltinModule("node:http");
export const https = () => process.getBuiltinModule("node:https");

export const ownPid: number = process.pid;

/** The user of the service; 0 on systems without user ids. */
export const ownUser = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

/**
 * Sends a signal, or 0 to only check, to a process or to a negated group id. Returns whether the
 * target exists.
 */
export const signal = (pid: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, name);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/**
 * Programs get a third of the processor share of other processes: enough to start in time on a busy
 * host. With 10, a tenth, servers timed out there.
 */
const nice = 5;

/**
 * Lowers the priority of a session leader and its descendants below this process and the rest of
 * the host. Linux compares sessions, as autogroups, before it compares the processes in them.
 * Returns false if the caller should retry: for unprivileged users the kernel allows one change per
 * 100 ms.
 */
export const lowerPriority = (leader: number): boolean => {
  try {
    setPriority(leader, nice);
    writeFileSync(`/proc/${leader}/autogroup`, `${nice}`);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "EAGAIN");
  }
};
