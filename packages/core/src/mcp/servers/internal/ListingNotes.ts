import {
  maxListBytes,
  maxTools,
  type ListedTool,
  type Listing,
  type ServerListing,
} from "../../untrusted/Definition.ts";

/** The number of names in a sentence; further names are only counted. */
const maxNames = 50;

const joined = (parts: ReadonlyArray<string>): string =>
  parts.length > maxNames
    ? `${parts.slice(0, maxNames).join(", ")} and ${parts.length - maxNames} others`
    : parts.join(", ");

type Kind = "prompt" | "tool";

const shownAs =
  (kind: Kind) =>
  (name: string): string => {
    if (name === "") return `a ${kind} without a name`;
    return kind === "tool" ? name : `the prompt ${name}`;
  };

/** Sentences for an Admin about the problems of a list. */
const notesOn = (kind: Kind, { cutAt, repeated, tools }: Listing): ReadonlyArray<string> => {
  const shown = shownAs(kind);
  const whyInvalid = ({ name, problem }: ListedTool): string =>
    `${shown(name)} (${(problem ?? "").replace(/\.$/, "")})`;
  const invalid = tools.filter(({ problem }) => problem !== null);
  const notes = [
    invalid.length > 0 &&
      `Withheld, because clients could not read them: ${joined(invalid.map(whyInvalid))}.`,
    repeated.length > 0 &&
      `Listed more than once, and only the first one is used: ${joined(repeated.map(shown))}.`,
    cutAt !== null &&
      `It lists ${cutAt} ${kind}s or more. Only the first ${tools.length} are used: a list has at most ${maxTools} ${kind}s and ${maxListBytes / 1024 / 1024} MiB.`,
  ];
  return notes.filter((note) => note !== false);
};

/** Sentences for an Admin about the problems of a server's lists. */
export const notesOf = (listing: ServerListing): ReadonlyArray<string> => [
  ...notesOn("tool", listing),
  ...(listing.prompts === null
    ? ["It has prompts, and failed to list them. Its tools do not depend on them."]
    : notesOn("prompt", listing.prompts)),
];
