/** The route of a method: its path, its request and its response. */
export interface Route {
  readonly method: string;
  /** With a name in braces for each argument of the path. */
  readonly path: string;
  /** `response`: the response itself, whose body the caller reads as a stream. */
  readonly returns: "json" | "pages" | "nothing" | "text" | "response" | "events";
  /** Arguments that travel in the query though the method has a body. */
  readonly query?: ReadonlyArray<string>;
  /** Whether the server honors an `Idempotency-Key`, which makes repetition safe. */
  readonly takesKey?: boolean;
  readonly body?: "json" | "form";
}
