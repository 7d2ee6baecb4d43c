import type { Problems } from "./contract/Problems.ts";

/** The types of problems, as slugs such as `not-found`. */
export type ProblemType = keyof Problems;

const prefix = "urn:quartermaster:problem:";

/** A call that the server refused: an RFC 9457 problem. Its message is `detail`. */
export class Problem<Type extends ProblemType = ProblemType> extends Error {
  override readonly name = "Problem";
  readonly status: number;
  /** The kind of problem, such as `not-found`. `unknown` for a response that is not a problem. */
  readonly type: Type | "unknown";
  readonly title: string;
  /** The problem, and how to solve it. */
  readonly detail: string;
  /** The request id in the server's log; null for a response that is not a problem. */
  readonly instance: string | null;
  /** The extra members of this type of problem, such as `blockers` of `blocked`. */
  readonly members: Problems[Type];
  /** The delay in `Retry-After`, in seconds; null if there is none. */
  readonly retryAfter: number | null;

  constructor(status: number, body: Readonly<Record<string, unknown>>, retryAfter: number | null) {
    const { type, title, status: _, detail, instance, ...members } = body;
    super(typeof detail === "string" ? detail : `The server responded with status ${status}.`);
    this.status = status;
    const isOurs = typeof type === "string" && type.startsWith(prefix);
    // The contract defines the types and the members of each.
    this.type = isOurs ? (type.slice(prefix.length) as Type) : "unknown";
    this.title = typeof title === "string" ? title : `Status ${status}`;
    this.detail = this.message;
    this.instance = typeof instance === "string" ? instance : null;
    this.members = members as Problems[Type];
    this.retryAfter = retryAfter;
  }
}

/**
 * Whether an error is a problem, of this type if one is given.
 *
 * @example
 * ```ts
 * import { isProblem, Problem } from "@quartermaster/client";
 *
 * export const example = () => {
 *   const body = { type: "urn:quartermaster:problem:blocked", blockers: ["iss_1"] };
 *   const error: unknown = new Problem(409, body, null);
 *   return isProblem(error, "blocked") ? error.members.blockers : []; // ["iss_1"]
 * };
 * ```
 */
export const isProblem = <Type extends ProblemType = ProblemType>(
  error: unknown,
  type?: Type,
): error is Problem<Type> =>
  error instanceof Problem && (type === undefined || error.type === type);

/**
 * A call without a response: the server is unreachable, or the connection was lost. `cause` is the
 * reason.
 */
export class Unreachable extends Error {
  override readonly name = "Unreachable";

  constructor(url: string, cause: unknown) {
    super(`Cannot reach ${url}. Check the URL, and whether the server runs.`, { cause });
  }
}
