import type { IssueEffect } from "../data/issues/effects.ts";

type Tone = "warning" | "danger" | "accent" | "success";

const states: Readonly<
  Record<IssueEffect["state"], { readonly text: string; readonly tone: Tone }>
> = {
  sent: { text: "In flight", tone: "accent" },
  done: { text: "Happened", tone: "success" },
  failed: { text: "Did not happen", tone: "danger" },
  unknown: { text: "Reply lost", tone: "warning" },
};

/** The state of an effect in words. */
export const stateOf = ({ state }: Pick<IssueEffect, "state">) => states[state];
