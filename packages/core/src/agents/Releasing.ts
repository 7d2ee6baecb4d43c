import type { RunRow } from "./Run.ts";

/**
 * Returns whether the run ends at the expiry of its lease because its session was deleted. It is apart from `Run`, whose
 * schema would come with the rules of issues.
 */
export const isReleasing = (run: Pick<RunRow, "leaseExpiresAt" | "releaseAt">): boolean =>
  run.releaseAt === run.leaseExpiresAt;
