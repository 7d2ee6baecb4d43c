/**
 * Writes whose responses nothing awaits, held until the next statement of their transaction, which sends them as one. A
 * statement of its own costs the server and the node more than the row of a timeline.
 *
 * The parts of one statement do not see each other's rows, and run in any order. So:
 *
 * - Each table is written once, and no part needs the rows of another part or of a trigger.
 * - The place of an event and the `seq` of a timeline are drawn after the locks that order them. So they follow no write
 *   that may wait for another transaction; a changed issue is not held, a new one cannot wait.
 */

type Params = ReadonlyArray<unknown>;

interface Statement {
  readonly text: string;
  readonly params: Params;
}

const held =
  /^\s*(?:INSERT INTO (activity|events_new|guards|runs)|UPDATE (issue_guards|runs)|WITH added AS \(\s*INSERT INTO (issues))\b/u;

/** The tables whose writes draw a number that has to be in the order of commits. */
const ordered = new Set(["activity", "events_new", "issues"]);

/** The table that the statement writes, if it can be held. */
const tableOf = (text: string): string | undefined => {
  const [, inserted, updated, added] = held.exec(text) ?? [];
  return text.includes("RETURNING") && added === undefined
    ? undefined
    : (inserted ?? updated ?? added);
};

const renumbered = (text: string, by: number): string =>
  text.replaceAll(/\$(\d+)/gu, (_, number) => `$${Number(number) + by}`);

/** The texts of writes that are sent as one. Each kind of change has its own few. */
const joinedTexts = new Map<string, string>();
const most = 200;

const join = (statements: ReadonlyArray<Statement>): string => {
  let count = 0;
  let last = "";
  const parts: Array<string> = [];
  for (const [index, { params, text }] of statements.entries()) {
    const part = renumbered(text, count).trim();
    count += params.length;
    // A part with parts of its own has to be the last one.
    const isLast = part.startsWith("WITH") || (last === "" && index === statements.length - 1);
    if (isLast) last = part.replace(/^WITH\b/u, ",");
    else parts.push(`w${index} AS (${part})`);
  }
  return `WITH ${parts.join(", ")} ${last}`;
};

const joined = (statements: ReadonlyArray<Statement>): string => {
  const key = statements.map(({ text }) => text).join(";");
  const known = joinedTexts.get(key);
  if (known !== undefined) return known;
  const text = join(statements);
  if (joinedTexts.size >= most) joinedTexts.clear();
  joinedTexts.set(key, text);
  return text;
};

export class HeldWrites {
  #tables: Array<string> = [];
  #statements: Array<Statement> = [];

  get isEmpty(): boolean {
    return this.#tables.length === 0;
  }

  /** Holds a write, unless others have to be sent before it. */
  hold(text: string, params: Params): "held" | "afterOthers" | "no" {
    const table = tableOf(text);
    if (table === undefined) return "no";
    const isLate = ordered.has(table) && !this.#tables.every((name) => ordered.has(name));
    if (isLate || this.#tables.includes(table)) return "afterOthers";
    this.#tables.push(table);
    this.#statements.push({ text, params });
    return "held";
  }

  /** Takes the writes as one statement; undefined if there is none. */
  take(): Statement | undefined {
    const statements = this.#statements;
    const [first] = statements;
    if (first === undefined) return undefined;
    this.#tables = [];
    this.#statements = [];
    return statements.length === 1
      ? first
      : { text: joined(statements), params: statements.flatMap(({ params }) => params) };
  }
}
