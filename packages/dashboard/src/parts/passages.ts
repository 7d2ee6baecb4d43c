/** A passage of a text from the server: words, code between backticks, or a timestamp. */
export interface Passage {
  readonly kind: "words" | "code" | "time";
  readonly text: string;
  /** Its position. */
  readonly at: number;
}

const marked = /`([^`]+)`|\b(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)/g;

/** The passages of a text, in their order. */
export const passagesOf = (text: string): ReadonlyArray<Passage> => {
  const found: Array<Passage> = [];
  let from = 0;
  const words = (to: number) => {
    if (to > from) found.push({ kind: "words", text: text.slice(from, to), at: from });
  };
  for (const { 0: whole, 1: code, 2: time = "", index: at } of text.matchAll(marked)) {
    words(at);
    found.push(
      code === undefined ? { kind: "time", text: time, at } : { kind: "code", text: code, at },
    );
    from = at + whole.length;
  }
  words(text.length);
  return found;
};
