import { Suspense } from "react";
import type { BriefIssue } from "../data/issues/issues.ts";
import { lazily } from "../parts/lazily.ts";

const LostRun = lazily(() => import("./LostRun.tsx"), "LostRun");

/** Says that the last run of the issue is gone. Only issues in progress have one. */
export const Lost = ({ issue }: { readonly issue: BriefIssue }) =>
  issue.status !== "InProgress" || issue.paused ? null : (
    <Suspense>
      <LostRun issue={issue} />
    </Suspense>
  );
