/** The Levenshtein distance: characters to insert, remove or replace. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

/** Longer names are not compared, because callers control the length. */
const maxLength = 128;

/** The name of a server's tool without its server. */
const withoutServer = (name: string): string => name.slice(name.indexOf("__") + 2);

/**
 * The name that the caller probably meant, also without its server; undefined if none is close enough.
 */
export const nearest = (name: string, names: ReadonlyArray<string>): string | undefined => {
  if (name.length > maxLength) return undefined;
  const furthest = Math.max(2, Math.floor(name.length / 4));
  const given = name.toLowerCase();
  const [first] = names
    .map((known) => {
      const lower = known.toLowerCase();
      const whole = distance(given, lower);
      const isOfServer = lower.includes("__") && !given.includes("__");
      return {
        known,
        away: isOfServer ? Math.min(whole, distance(given, withoutServer(lower))) : whole,
      };
    })
    .filter(({ away }) => away <= furthest)
    .toSorted((a, b) => a.away - b.away);
  return first?.known;
};

/** The sentence about a name that no tool has. */
export const noTool = (
  name: string,
  tools: ReadonlyArray<{ readonly name: string }>,
  otherwise: string,
): string => {
  const meant = nearest(
    name,
    tools.map((tool) => tool.name),
  );
  return `There is no tool ${name.slice(0, 128)}. ${meant === undefined ? otherwise : `Did you mean ${meant}?`}`;
};
