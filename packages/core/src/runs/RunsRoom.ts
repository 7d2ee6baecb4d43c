import { Layer } from "effect";
import { Claims } from "./internal/Claims.ts";
import { LogTail } from "./internal/LogTail.ts";
import { WorkBell } from "./internal/WorkBell.ts";
import { IssueEffects } from "./IssueEffects.ts";
import { RunLogs } from "./RunLogs.ts";
import { RunRecords } from "./RunRecords.ts";
import { Runs } from "./Runs.ts";
import { RunUsage } from "./RunUsage.ts";
import { Workers } from "./Workers.ts";

/** Runs, the workers that hold them, and their logs. */
export const layer = Workers.layerNoDeps.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      Runs.layerNoDeps,
      RunLogs.layerNoDeps,
      RunRecords.layer,
      RunUsage.layer,
      IssueEffects.layer,
    ),
  ),
  Layer.provide(Layer.mergeAll(Claims.layerNoDeps, LogTail.layerNoDeps, WorkBell.layer)),
);
