/** The prefixes that the service makes for projects. */

const longest = 10;

/** The first part of a prefix that is made from the id: `shop-7` gives `SHOP7`. */
const baseOf = (projectId: string): string => {
  const letters = projectId.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
  return (/^[A-Z]./.test(letters) ? letters : `P${letters}`).slice(0, longest);
};

/** The base with digits at its end: it tells apart projects with equal bases. */
const numbered = (base: string, digits: string): string =>
  base.slice(0, longest - digits.length) + digits;

/**
 * The prefix to try after `tries` others were taken: the base, then with 2 to 9, then with more and more
 * digits of `random`, which is between 0 and 1.
 */
export const fromId = (projectId: string, tries: number, random: number): string => {
  const base = baseOf(projectId);
  if (tries === 0 && base.length > 1) return base;
  return numbered(
    base,
    tries < 9 ? String(tries + 1) : String(Math.floor(random * 10 ** Math.min(tries - 6, 8))),
  );
};

/** 32 characters, so that each is 5 bits of a random byte. */
const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** A prefix that tells nothing about the project: `P` and five characters. */
export const fromBytes = (bytes: Uint8Array): string =>
  `P${Array.from(bytes.subarray(0, 5), (byte) => alphabet[byte % alphabet.length]).join("")}`;
