/* oxlint-disable no-restricted-globals --
   The only module of the package that sees the process: its environment, platform, ids, signals and priorities. */
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { Context } from "effect";

/** The host that programs are started on. Tests provide another one. */
export const Host = Context.Reference<{
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The running Node.js, which also runs the packages of that runtime. */
  readonly node: { readonly path: string; readonly version: string };
}>("@quartermaster/mcp/programs/processes/Host", {
  defaultValue: () => ({
    environment: process.env,
    platform: process.platform,
    node: { path: process.execPath, version: process.version },
  }),
});

export const ownPid: number = process.pid;

/** The service's user; root's ids where the system has none. */
export const ownUser = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

/** Sends a signal, 0 for none, to a process, or to a group by its negated id. Returns whether it exists. */
export const signal = (pid: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, name);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/** A third of the share of others: enough to start in time on a busy host. With 10, a tenth, servers timed out there. */
const nice = 5;

/**
 * Lets this process, and the rest of the host, go before the leader of a session and what it starts. Linux
 * compares sessions, as autogroups, before it compares their processes. Returns false if it should be tried again:
 * without privileges, the kernel takes one such change in 100 ms.
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
