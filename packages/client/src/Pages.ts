/** A page of a list, and the cursor of the next page; null on the last page. */
export interface Page<Item> {
  readonly items: ReadonlyArray<Item>;
  readonly next: string | null;
}

/** A list: one page of it, or item by item to its end, as an async iterable. */
export interface Pages<Item> extends AsyncIterable<Item> {
  /** Reads one page: the first, or the page of the argument `cursor`. */
  page(): Promise<Page<Item>>;
}

/** A list whose pages are read by cursor. The next page is read when its first item is asked for. */
export const pages = <Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
): Pages<Item> => ({
  page: () => read(undefined),
  async *[Symbol.asyncIterator]() {
    let cursor: string | undefined;
    do {
      const { items, next } = await read(cursor);
      yield* items;
      cursor = next ?? undefined;
    } while (cursor !== undefined);
  },
});

/** The cursor of the link `next`. Only the cursor is used: the server may know itself by another URL. */
export const nextOf = (link: string | null): string | null => {
  const [, query] = link?.match(/<[^>]*\?([^>]*)>;\s*rel="?next/) ?? [];
  return query === undefined ? null : new URLSearchParams(query).get("cursor");
};
