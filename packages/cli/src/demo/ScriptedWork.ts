import type { Finish, RemoteTask } from "@quartermaster/client";
import { refPrefix } from "./SampleIssues.ts";

/**
 * The work of a scripted agent. The part of the shop decides its kind, so that people see each one:
 * questions, failures, files, reviews, and work that needs no review.
 */

const steps = ["Reading the issue", "Looking for similar work", "Writing", "Checking the result"];

const table = "| screen | state |\n| --- | --- |\n| list | done |\n| detail | done |\n";

/** Works on an issue in four steps, and returns its outcome. `pause` waits until the signal aborts, or for a step. */
export const perform = async (
  task: RemoteTask,
  pause: (signal: AbortSignal) => Promise<void>,
): Promise<Finish> => {
  const { externalRef, title } = task.issue;
  const name = (externalRef ?? "").slice(refPrefix.length);
  for (const step of steps) {
    await task.note(step);
    await task.log(`${step}: ${title}`);
    await pause(task.signal).catch(() => {
      throw task.signal.reason;
    });
  }
  const isFirst = task.started.attempt === 1;
  if (name === "payment-0" && task.started.questions.length === 0) {
    await task.ask({
      prompt: "Which cards does the shop accept?",
      kind: "choice",
      options: ["Visa and Mastercard", "All cards"],
    });
    return { outcome: "released" };
  }
  if (name === "search-0" && isFirst) {
    await task.log("error: the index of products is missing");
    return {
      outcome: "failed",
      retry: true,
      comment: "The index of products is missing. The next attempt builds it first.",
    };
  }
  if (name === "stock-0") {
    return { outcome: "failed", comment: "The design needs access to the warehouse system." };
  }
  if (name.endsWith("-0")) {
    const file = new TextEncoder().encode(`# ${title}\n\n${table}`);
    await task.attach({ file, fileName: "design.md", contentType: "text/markdown" });
    await task.comment("The screens are in the attached file.");
  }
  // Half of the parts end without a person, so that later issues are ready.
  const needsReview = ["cart", "invoice", "returns"].some((part) => name.startsWith(part));
  return {
    outcome: needsReview ? "review" : "resolved",
    comment: `${title} is done.\n\n${table}`,
  };
};
