import { Schema } from "effect";
import * as ServerText from "./ServerText.ts";

/**
 * Instructions of servers, which are pinned like the definitions of tools: agents get the
 * instructions that an Admin accepted.
 */

/** The used length of a server's instructions, in characters. */
export const maxLength = 2_048;

/**
 * The stored instructions: the accepted ones and the ones that the server sent last; null for a
 * server without instructions.
 */
export interface PinnedInstructions {
  readonly accepted: string | null;
  readonly current: string | null;
}

export const none: PinnedInstructions = { accepted: null, current: null };

const State = Schema.Literals(["accepted", "changed", "new", "gone"]);

/** The instructions of an installed server. */
export const Instructions = Schema.Struct({
  state: State.annotateKey({
    description:
      "`accepted`: agents read them. `changed`: agents read the accepted ones. `new`: agents read none until they are accepted. `gone`: the server no longer has any, and agents read none.",
  }),
  digest: Schema.String.annotateKey({
    description:
      "The SHA-256 hash, in hex, of `current`, or of `accepted` if the server no longer has instructions. Pass it to accept them.",
  }),
  accepted: Schema.NullOr(Schema.String).annotateKey({
    description: "The accepted instructions; null if there are none.",
  }),
  current: Schema.NullOr(Schema.String).annotateKey({
    description: "The instructions of the last connection; null if the server has none.",
  }),
}).annotate({
  identifier: "Instructions",
  description:
    "A server's instructions to models about its tools, compared with the accepted ones.",
});
export interface Instructions extends Schema.Schema.Type<typeof Instructions> {}

/** The used part of a server's text: its start, without control characters. */
export const read = (sent: unknown): string | null => {
  if (typeof sent !== "string") return null;
  const text = ServerText.withoutInvisible(sent.slice(0, 4 * maxLength))
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
  return text === "" ? null : text;
};

/** Null for a server that never had instructions. */
export const stateOf = ({
  accepted,
  current,
}: PinnedInstructions): Instructions["state"] | null => {
  if (current === null) return accepted === null ? null : "gone";
  if (accepted === null) return "new";
  return accepted === current ? "accepted" : "changed";
};

export const isWithheld = (pinned: PinnedInstructions): boolean => {
  const state = stateOf(pinned);
  return state === "new" || state === "changed";
};

/** The instructions that agents get; null for none. */
export const served = ({ accepted, current }: PinnedInstructions): string | null =>
  current === null ? null : accepted;

export const accept = ({ current }: PinnedInstructions): PinnedInstructions => ({
  accepted: current,
  current,
});

export const areSame = (a: PinnedInstructions, b: PinnedInstructions): boolean =>
  a.accepted === b.accepted && a.current === b.current;
