import { existsSync, readdirSync, readFileSync } from "node:fs";
import { ownPid } from "./Host.ts";

/**
 * The processes of this host, from /proc. Reading is synchronous, so that nothing is forked in between by
 * this process: 140 processes take 7 ms at best.
 */

/** A process. Its id may be reused later, by a process with another start. */
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

/** `/proc/<pid>/stat`. After the name, which may contain anything, the first field is the state. */
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
    // The process is gone. Without /proc, nothing is known of other processes.
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
 * The processes that a program started: descendants of its leader, and processes with the assignment in
 * their environment, which descendants keep when they leave their group, session and parent. The leader
 * is among them while it is alive.
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
    // The clock ticks of starts have up to 20 digits: compared as text of equal length.
    const isOlder = stat.start.padStart(20) < since.padStart(20);
    if (isLeader || (!isOlder && hasAssignment(stat.pid, assignment))) add(stat);
  }
  return [...members.values()];
};

const hasAssignment = (pid: number, assignment: string): boolean =>
  `\0${readText(`/proc/${pid}/environ`)}\0`.includes(`\0${assignment}\0`);

/**
 * The descendants of a leader, without a look at other processes, whose number does not matter then. Null if
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
