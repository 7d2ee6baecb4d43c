import { describe } from "@effect/vitest";
import type { Layer } from "effect";
import type { Storage } from "../Storage.ts";
import { block } from "../Suite.ts";
import * as InboxAgents from "./inbox/InboxAgents.ts";
import * as InboxIssues from "./inbox/InboxIssues.ts";
import * as InboxMentions from "./inbox/InboxMentions.ts";
import * as InboxRoots from "./inbox/InboxRoots.ts";

/** The requirements of every `InboxStore`. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`InboxStore: ${name}`, () => {
    block("questions, reviews and pauses", storage, InboxIssues.tests);
    block("mentions", storage, InboxMentions.tests);
    block("roots", storage, InboxRoots.tests);
    block("silent agents", storage, InboxAgents.tests);
  });
};
