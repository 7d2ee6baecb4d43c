import { Context, Effect } from "effect";
import type { StorageError } from "./CommonErrors.ts";

const everything = { knows: () => Effect.succeed(true) };

/** Whether the host has its own directory. */
export const isOwn = (directory: (typeof Directory)["Service"]): boolean =>
  directory !== everything;

/**
 * The host's directory of projects, agents, users and goals. By default every id is known. A host
 * that has such a directory provides it, and requests with unknown ids fail.
 */
export const Directory = Context.Reference<{
  /** Returns whether the id exists. Called before a transaction, so it may be slow. */
  readonly knows: (
    kind: "project" | "agent" | "user" | "goal",
    id: string,
  ) => Effect.Effect<boolean, StorageError>;
}>("@quartermaster/core/Directory", {
  defaultValue: () => everything,
});
