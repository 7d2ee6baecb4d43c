/** An error as a sentence, in the words of the API. */
export const sentenceOf = (error: unknown): string =>
  error instanceof Error ? error.message : "Something went wrong. Reload the page.";
