import {
  maxListBytes,
  maxTools,
  type ListedTool,
  type Listing,
} from "../../untrusted/Definition.ts";

/** The number of names in a sentence; further names are only counted. */
const maxNames = 50;

const joined = (parts: ReadonlyArray<string>): string =>
  parts.length > maxNames
    ? `${parts.slice(0, maxNames).join(", ")} and ${parts.length - maxNames} others`
    : parts.join(", ");

const shown = (name: string): string => (name === "" ? "a tool without a name" : name);

const whyInvalid = ({ name, problem }: ListedTool): string =>
  `${shown(name)} (${(problem ?? "").replace(/\.$/, "")})`;

/** Sentences for an Admin about the problems of a list of tools. */
export const notesOf = ({ cutAt, repeated, tools }: Listing): ReadonlyArray<string> => {
  const invalid = tools.filter(({ problem }) => problem !== null);
  const notes = [
    invalid.length > 0 &&
      `Withheld, because clients could not read them: ${joined(invalid.map(whyInvalid))}.`,
    repeated.length > 0 &&
      `Listed more than once, and only the first one is used: ${joined(repeated.map(shown))}.`,
    cutAt !== null &&
      `It lists ${cutAt} tools or more. Only the first ${tools.length} are used: a list has at most ${maxTools} tools and ${maxListBytes / 1024 / 1024} MiB.`,
  ];
  return notes.filter((note) => note !== false);
};
