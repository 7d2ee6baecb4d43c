import { existsSync, readdirSync, readFileSync } from "node:fs";
import { ownPid } from "./Host.ts";

/**
 * Reads processes from /proc. Synchronous, so that this process forks nothing in the meantime: 140
 * processes take 7 ms at best.
 */

/** A process id and start. The system may reuse the id for a process with another start. */
export interface Identity {
  readonly pid: number;
  readonly start: string;
}

export interface Stat extends Identity {
  readonly isAlive: boolean;
  readonly parent: number;
  readonly group: number;
}

const readText = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

/**
 * Parses `/proc/<pid>/stat`. The state is the first field after the name, which may contain any
 * character.
 */
export const statOf = (pid: number): Stat => {
  const text = readText(`/proc/${pid}/stat`);
  const [state = "X", parent, group, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return {
    pid,
    start: rest[16] ?? "",
    isAlive: text !== "" && !/^[ZX]/.test(state),
    parent: Number(parent),
    group: Number(group),
  };
};

const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder);
  } catch {
    // The process has exited. Without /proc, no other process is known.
    return [];
  }
};

const all = (): ReadonlyArray<Stat> =>
  namesIn("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = statOf(Number(name));
    return stat.isAlive && stat.pid !== ownPid ? [stat] : [];
  });

/**
 * The processes of a program: its live leader, the leader's descendants, and processes with the
 * assignment in their environment, which descendants inherit even if they leave their group,
 * session and parent.
 */
export const membersOf = (
  assignment: string,
  leader: Identity | null,
  since: string,
): ReadonlyArray<Stat> => {
  const stats = all();
  const children = Map.groupBy(stats, ({ parent }) => parent);
  const members = new Map<number, Stat>();
  const add = (stat: Stat) => {
    if (members.has(stat.pid)) return;
    members.set(stat.pid, stat);
    for (const child of children.get(stat.pid) ?? []) add(child);
  };
  for (const stat of stats) {
    const isLeader = stat.pid === leader?.pid && stat.start === leader.start;
    // Starts have up to 20 digits and are compared as strings of equal length.
    const isOlder = stat.start.padStart(20) < since.padStart(20);
    if (isLeader || (!isOlder && hasAssignment(stat.pid, assignment))) add(stat);
  }
  return [...members.values()];
};

const hasAssignment = (pid: number, assignment: string): boolean =>
  `\0${readText(`/proc/${pid}/environ`)}\0`.includes(`\0${assignment}\0`);

/**
 * The descendants of a leader. The cost is independent of the number of other processes. Null if
 * the kernel does not list children.
 */
export const descendantsOf = (leader: Identity): ReadonlyArray<Stat> | null => {
  if (!existsSync("/proc/thread-self/children")) return null;
  const { isAlive, start } = statOf(leader.pid);
  if (!isAlive || start !== leader.start) return [];
  const below = (pid: number): ReadonlyArray<Stat> =>
    namesIn(`/proc/${pid}/task`)
      .flatMap((task) => readText(`/proc/${pid}/task/${task}/children`).match(/\d+/g) ?? [])
      .map((child) => statOf(Number(child)))
      .flatMap((child) => (child.isAlive ? [child, ...below(child.pid)] : below(child.pid)));
  return below(leader.pid);
};
