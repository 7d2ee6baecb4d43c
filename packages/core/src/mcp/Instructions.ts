import { Schema } from "effect";
import * as ServerText from "./ServerText.ts";

/** Instructions of servers, which are pinned like the definitions of tools: agents read what an Admin accepted. */

/** What is used of a server's instructions, in characters. */
export const maxLength = 2_048;

/**
 * The stored instructions, accepted and as the server sent them last; null for a server without
 * instructions.
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
      "`accepted`: agents read them. `changed`: agents read the accepted ones. `new`: agents read none until they are accepted. `gone`: the server has none any more, and agents read none.",
  }),
  digest: Schema.String.annotateKey({
    description:
      "SHA-256, in hex, of `current`, or of `accepted` if they are gone: what an acceptance names.",
  }),
  accepted: Schema.NullOr(Schema.String).annotateKey({
    description: "The instructions that were accepted; null for none.",
  }),
  current: Schema.NullOr(Schema.String).annotateKey({
    description: "The instructions of the last connection; null if the server has none.",
  }),
}).annotate({
  identifier: "Instructions",
  description:
    "What a server tells models about its tools, and how it stands to what was accepted.",
});
export interface Instructions extends Schema.Schema.Type<typeof Instructions> {}

/** What is used of what a server sent: its start, without control characters and characters that people do not see. */
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

/** What agents read; null for nothing. */
export const served = ({ accepted, current }: PinnedInstructions): string | null =>
  current === null ? null : accepted;

export const accept = ({ current }: PinnedInstructions): PinnedInstructions => ({
  accepted: current,
  current,
});

export const areSame = (a: PinnedInstructions, b: PinnedInstructions): boolean =>
  a.accepted === b.accepted && a.current === b.current;
