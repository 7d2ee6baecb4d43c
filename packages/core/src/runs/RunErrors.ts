import { ErrorClass, integer } from "../ErrorClass.ts";

/** Entries of a log that leave a gap, or that repeat stored entries with other texts. */
export class LogGap extends ErrorClass<LogGap>()(
  "LogGap",
  { next: integer("The number that the writer's next new entry has to have.") },
  ({ next }) =>
    `These entries do not continue the writer's log. Send the entries from number ${next} on.`,
) {}
