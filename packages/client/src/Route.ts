/** The route of a method: its path, its request and its response. */
export interface Route {
  readonly method: string;
  /** The path template, with the name of each argument in braces. */
  readonly path: string;
  /**
   * The kind of result; JSON by default. `response` returns the response itself, whose body the caller reads as
   * a stream.
   */
  readonly returns?: "pages" | "nothing" | "text" | "response" | "events";
  /** Arguments that are sent in the query although the method has a body. */
  readonly query?: ReadonlyArray<string>;
  /** Whether the server honors an `Idempotency-Key`, which makes repetition safe. */
  readonly takesKey?: boolean;
  readonly body?: "json" | "form";
}
