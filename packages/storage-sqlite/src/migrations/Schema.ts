import { createHash } from "node:crypto";
import { objects } from "./objects.ts";

/**
 * The schema of this version, for comparison with a database: an added trigger would run with every
 * change. Omits tables of FTS5 and objects that SQLite creates.
 */

/** The columns of `query`. */
export type Row = readonly [type: string, name: string, table: string, sql: string | null];

export const query = `SELECT type, name, tbl_name, sql FROM sqlite_schema
  WHERE type IN ('trigger', 'view') OR (name NOT GLOB 'sqlite_*'
    AND NOT (type = 'table' AND (name GLOB 'issue_text_*' OR name GLOB 'chapter_text_*')))
  ORDER BY name`;

const nameOf = ([type, name]: Row) => `${type} ${name}`;

const hashOf = ([, , table, sql]: Row) =>
  createHash("sha256").update(`${table}\n${sql}`).digest("hex").slice(0, 16);

/** The objects of a schema, as `objects.ts` has them. */
export const objectsOf = (rows: ReadonlyArray<Row>): Readonly<Record<string, string>> =>
  Object.fromEntries(rows.map((row) => [nameOf(row), hashOf(row)]));

/** The differences between a database's schema and the schema of this version. */
export const differences = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const found = objectsOf(rows);
  const names = [...new Set([...Object.keys(objects), ...Object.keys(found)])].toSorted();
  return names.flatMap((name) => {
    if (found[name] === objects[name]) return [];
    if (objects[name] === undefined) return [`the ${name} was added`];
    return [`the ${name} ${found[name] === undefined ? "is missing" : "was changed"}`];
  });
};
