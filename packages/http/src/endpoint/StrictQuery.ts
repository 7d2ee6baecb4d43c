import type { Errors } from "@quartermaster/core";
import { SchemaAST } from "effect";
import type { HttpApiEndpoint } from "effect/http-api";

/**
 * Strict queries under `/api/`: an undeclared parameter is refused, as is a repeated parameter that
 * is not a list. If the server ignored a misspelled filter, it would return everything.
 */

type RequestErrors = Errors.InvalidRequest["errors"];

/** Limits: the errors reported per request, and the characters of a name that are compared. */
const most = { errors: 100, compared: 40 };

/** The edit distance of two names: the characters to insert, delete or replace. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = (row[j] ?? 0) + Number(from[i] !== to[j]);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

const unknown = (name: string, known: ReadonlyArray<string>): string => {
  const start = name.slice(0, most.compared).toLowerCase();
  const [closest] = known.toSorted(
    (a, b) => distance(start, a.toLowerCase()) - distance(start, b.toLowerCase()),
  );
  return closest === undefined
    ? "Unknown query parameter; this path takes none"
    : `Unknown query parameter; did you mean "${closest}"?`;
};

/** The query parameters of an endpoint: each name, and whether it is a list. */
const parametersOf = ({ query }: HttpApiEndpoint.Top): ReadonlyMap<string, boolean> => {
  if (query === undefined) return new Map();
  const ast = SchemaAST.toEncoded(query.ast);
  return new Map(
    SchemaAST.isObjects(ast)
      ? ast.propertySignatures.map(({ name, type }) => [String(name), SchemaAST.isArrays(type)])
      : [],
  );
};

/** Compiles an endpoint to a function that reports the errors in the names of a query. */
export const compile = (endpoint: HttpApiEndpoint.Top) => {
  if (!endpoint.path.startsWith("/api/")) return (): RequestErrors => [];
  const parameters = parametersOf(endpoint);
  return (query: Readonly<Record<string, unknown>>): RequestErrors =>
    Object.entries(query)
      .flatMap(([name, value]) => {
        const isList = parameters.get(name);
        if (isList === undefined) return [{ name, isKnown: false }];
        return Array.isArray(value) && !isList ? [{ name, isKnown: true }] : [];
      })
      .slice(0, most.errors)
      .map(({ isKnown, name }) => ({
        path: name,
        message: isKnown
          ? "Expected this query parameter once"
          : unknown(name, [...parameters.keys()]),
      }));
};
