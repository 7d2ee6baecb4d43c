import { Passed } from "@quartermaster/core";
import { Schema } from "effect";

/**
 * Messages between nodes: the body of a request is a `Passed.Request`, and each line of the response is
 * empty, a `progress`, or the one `response` or `failure` at its end. Empty lines say that the node is alive.
 */

export const path = "/internal/mcp";

/** The time between empty lines, and the time without a line after which a node is gone. */
export const aliveEvery = "5 seconds";
export const silence = "15 seconds";

export const Request = Schema.fromJsonString(Passed.Request);

export const Line = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({
      progress: Schema.Struct({
        progress: Schema.Finite,
        total: Schema.optional(Schema.Finite),
        message: Schema.optional(Schema.String),
      }),
    }),
    Schema.Struct({
      response: Schema.Struct({ result: Schema.Unknown, isReplaced: Schema.Boolean }),
    }),
    Schema.Struct({ failure: Passed.Failure }),
  ]),
);
export type Line = typeof Line.Type;
