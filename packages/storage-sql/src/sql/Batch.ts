/** Statements with many rows. */

/** Rows per statement. With 21 columns this stays far below SQLite's 32,766 parameters. */
const most = 100;

/** Chunks of 100 items and a smaller last one, so that few distinct statements are prepared. */
export const chunks = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.length <= most && items.length > 0
    ? [items]
    : Array.from({ length: Math.ceil(items.length / most) }, (_, index) =>
        items.slice(index * most, (index + 1) * most),
      );

/** The text `(?, ?), (?, ?)` with `count` rows of `width` parameters. */
export const rows = (width: number, count: number): string => {
  const row = `(${Array.from({ length: width }, () => "?").join(", ")})`;
  return Array.from({ length: count }, () => row).join(", ");
};
