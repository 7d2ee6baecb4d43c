import { createElement, Fragment } from "react";

const start = "\u0002";
const end = "\u0003";

/** A snippet without the marks around its matches. */
export const unmarked = (text: string): string => text.replaceAll(start, "").replaceAll(end, "");

/** A snippet of the search, with its matches marked. */
export const Marked = ({ text }: { readonly text: string }) => {
  const [before, ...parts] = text.split(start);
  // As arguments the parts need no keys.
  return createElement(
    Fragment,
    null,
    before,
    ...parts.flatMap((part) => {
      const [match, rest] = part.split(end);
      return [createElement("mark", null, match), rest];
    }),
  );
};
