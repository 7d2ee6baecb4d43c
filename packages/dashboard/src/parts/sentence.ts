/** Readable nouns for resources of the API. */
const nouns: Readonly<Record<string, string>> = {
  installedServer: "server",
  catalogEntry: "entry of the catalog",
  apiKey: "key",
};

/**
 * A readable message for an error: mostly the server's, with names of the API replaced with words.
 */
export const sentenceOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "Something went wrong. Reload the page.";
  if (error.name === "Unreachable") {
    return "The server cannot be reached. Nothing was saved; what you entered is still here.";
  }
  const [, noun] =
    /there is no (?:such )?(\w+)(?: \S+)? that you may see/.exec(error.message) ?? [];
  return noun === undefined
    ? error.message
    : `This ${nouns[noun] ?? noun} does not exist, or you may not see it.`;
};
