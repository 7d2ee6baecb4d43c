import { Flag } from "effect/cli";

/** Options that several issue commands share. */

const priorities = ["urgent", "high", "normal", "low"] as const;

export const project = Flag.String("project").pipe(Flag.withDescription("The id of the project"));

export const label = (description: string) =>
  Flag.String("label").pipe(Flag.withDescription(`${description}; repeatable`), Flag.atLeast(0));

export const priority = Flag.Literals("priority", priorities).pipe(
  Flag.withDescription("The priority"),
  Flag.optional,
);
