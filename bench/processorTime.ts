import { readFileSync } from "node:fs";

/** The processor time of a process in milliseconds, and of its children that have exited. */
const timeOf = (pid: number | string): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name of the program, which may contain spaces, ends with the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // The kernel counts in hundredths of a second.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
};

/** The processor time of a process and all its children; NaN where there is no `/proc`. */
export const processorTime = (pid: number): number => {
  if (process.platform !== "linux") return Number.NaN;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
  const times = children.map((child) => {
    try {
      return child === "" ? 0 : timeOf(child);
    } catch {
      return 0; // It has exited.
    }
  });
  return times.reduce((sum, time) => sum + time, timeOf(pid));
};
