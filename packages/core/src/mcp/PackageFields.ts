import { Schema } from "effect";

/** The fields with which a manifest identifies a package. */

/** A name in the registry of npm or Python, never an option, a path or a URL. */
export const PackageName = Schema.String.check(
  Schema.isPattern(/^(?:@[a-z0-9][\w.-]*\/)?[A-Za-z0-9][\w.-]*$/, {
    expected: "the name of a package",
  }),
);

/** A single version: no range, no tag. */
export const ExactVersion = Schema.String.check(
  Schema.isPattern(/^\d+(?:\.\d+)*(?:[-+.]?(?!x\b)[A-Za-z][\w.+-]*|[-+]\d[\w.+-]*)?$/i, {
    expected: "an exact version",
  }),
);

export const Integrity = Schema.String.check(
  Schema.isPattern(/^sha512-[A-Za-z0-9+/]{86}==$/, { expected: "sha512- and a digest in base64" }),
);

/**
 * A date or a timestamp. Versions published after this timestamp, or after the start of this day,
 * are treated as missing.
 */
export const LockedAt = Schema.String.check(
  Schema.isPattern(
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z)?$/,
    { expected: "a date as YYYY-MM-DD, or a timestamp as YYYY-MM-DDTHH:MM:SSZ" },
  ),
);
