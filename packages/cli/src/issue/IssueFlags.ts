import { Flag } from "effect/cli";
import { oneOf } from "../Options.ts";

/** Options that several issue commands share. */

export const priorities = ["urgent", "high", "normal", "low"] as const;

export const project = Flag.String("project").pipe(
  Flag.withDescription("The id of the project. Default: the project of `quartermaster use`"),
  Flag.optional,
);

export const label = (description: string) =>
  Flag.String("label").pipe(Flag.withDescription(`${description}; repeatable`), Flag.atLeast(0));

export const priority = oneOf("priority", priorities, "The priority").pipe(Flag.optional);
