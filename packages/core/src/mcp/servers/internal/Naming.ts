/** Names of installed servers, and ids of catalog entries, that are derived from other texts. */

const most = 32;

/** The text as a name; `fallback` if it has no letter and no digit. */
export const fit = (text: string, fallback: string): string => {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, most)
    .replaceAll(/^-+|-+$/g, "");
  return name === "" ? fallback : name;
};

/** The name for the first attempt, and the name with a number for further attempts. */
export const numbered = (name: string, number: number): string => {
  const suffix = number === 1 ? "" : `-${number}`;
  return `${name.slice(0, most - suffix.length)}${suffix}`;
};
