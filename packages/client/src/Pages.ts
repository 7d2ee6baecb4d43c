/** A page of a list, and the cursor of the next page; null on the last page. */
export interface Page<Item> {
  readonly items: ReadonlyArray<Item>;
  readonly next: string | null;
}

/** A list. `page` reads one page; iteration reads all items. */
export interface Pages<Item> extends AsyncIterable<Item> {
  /** Reads the first page, or the page of the argument `cursor`. */
  page(): Promise<Page<Item>>;
}

/** A list that is read page by page. Each page is read when its first item is needed. */
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

/**
 * The cursor in the link `next`. The rest of the link is ignored: behind a proxy, the server may
 * link to another URL.
 */
export const nextOf = (link: string | null): string | null => {
  const [, query] = link?.match(/<[^>]*\?([^>]*)>;\s*rel="?next/) ?? [];
  return query === undefined ? null : new URLSearchParams(query).get("cursor");
};
