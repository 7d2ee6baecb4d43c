import type { Errors } from "@quartermaster/core";
import { SchemaAST } from "effect";
import type { HttpApiEndpoint } from "effect/http-api";

/**
 * Queries under `/api/` are strict like bodies: a parameter that the endpoint does not declare, or
 * one that is sent twice, is refused. Ignoring a misspelled filter would return everything.
 */

type RequestErrors = Errors.InvalidRequest["errors"];

/** Errors reported, and characters of a name that are compared. */
const most = { errors: 100, compared: 40 };

/** How many characters must be inserted, deleted or replaced to make one name the other. */
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

/** The names of an endpoint's query parameters. */
const namesOf = ({ query }: HttpApiEndpoint.Top): ReadonlyArray<string> => {
  if (query === undefined) return [];
  const ast = SchemaAST.toEncoded(query.ast);
  return SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : [];
};

/** What is wrong with the names in a query of the endpoint. */
export const compile = (endpoint: HttpApiEndpoint.Top) => {
  if (!endpoint.path.startsWith("/api/")) return (): RequestErrors => [];
  const names = namesOf(endpoint);
  const known = new Set(names);
  return (query: Readonly<Record<string, unknown>>): RequestErrors =>
    Object.entries(query)
      .flatMap(([name, value]) => {
        if (!known.has(name)) return [{ name, isKnown: false }];
        return Array.isArray(value) ? [{ name, isKnown: true }] : [];
      })
      .slice(0, most.errors)
      .map(({ isKnown, name }) => ({
        path: name,
        message: isKnown ? "Expected this query parameter once" : unknown(name, names),
      }));
};
