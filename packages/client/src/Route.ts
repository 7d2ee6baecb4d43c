/** The route of a method: its path, its request and its response. */
export interface Route {
  /** Default: GET. */
  readonly method?: string;
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

type Groups<A> = Readonly<Record<string, Readonly<Record<string, A>>>>;

/**
 * Reads routes such as `POST /api/projects json key`: method, path, body, `key` if it takes one, arguments in the query
 * after `?`, and the kind of result. Objects would make the client 2 kB larger.
 */
export const parse = (groups: Groups<string>): Groups<Route> =>
  mapped(groups, (routes) =>
    mapped(routes, (text) => {
      const [, method = "GET", path = "", rest = ""] = /^([A-Z]+)? ?(\S+) ?(.*)$/.exec(text) ?? [];
      const route: { -readonly [Name in keyof Route]: Route[Name] } = { method, path };
      for (const word of rest.split(" ")) {
        if (word === "key") route.takesKey = true;
        else if (word === "json" || word === "form") route.body = word;
        else if (word.startsWith("?")) route.query = word.slice(1).split(",");
        else if (word !== "") route.returns = word as NonNullable<Route["returns"]>;
      }
      return route;
    }),
  );

const mapped = <A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
