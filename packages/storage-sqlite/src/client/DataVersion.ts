import { Context } from "effect";

/**
 * Reads the number of the database's content, as the connection that writes sees it. It changes when another
 * connection commits, which is another process, and not when this one does. Takes 2 µs.
 */
export class DataVersion extends Context.Service<DataVersion, () => number>()(
  "@quartermaster/storage-sqlite/client/DataVersion",
) {}
