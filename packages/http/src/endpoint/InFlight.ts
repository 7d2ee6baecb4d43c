import { Context, Layer } from "effect";

/**
 * The bytes of large responses that this node holds until clients have read them. Small responses
 * do not count: they go to the socket immediately.
 */

const mebibyte = 1024 * 1024;

/** The size above which a response is large. One issue is always smaller. */
export const largeBytes = mebibyte;

/**
 * The maximum size of a page; `next` continues it. 500 issues with the longest descriptions would
 * be 33 MB, and 197 MB if every character needed an escape.
 */
export const pageBytes = 16 * mebibyte;

/** The limit of one key: three full pages in flight. */
const keyBytes = 3 * pageBytes;

/** The limit of all keys together, in memory that other requests also need. */
const totalBytes = 8 * pageBytes;

export class InFlight extends Context.Service<
  InFlight,
  {
    /** Reserves bytes for the key. Returns false without reserving if a limit would be exceeded. */
    take(keyId: string, bytes: number): boolean;
    release(keyId: string, bytes: number): void;
  }
>()("@quartermaster/http/endpoint/InFlight") {
  static readonly layer = Layer.sync(InFlight, () => {
    const held = new Map<string, number>();
    let total = 0;
    return {
      take: (keyId, bytes) => {
        const sum = (held.get(keyId) ?? 0) + bytes;
        if (sum > keyBytes || total + bytes > totalBytes) return false;
        held.set(keyId, sum);
        total += bytes;
        return true;
      },
      release: (keyId, bytes) => {
        const rest = (held.get(keyId) ?? 0) - bytes;
        total -= bytes;
        if (rest > 0) held.set(keyId, rest);
        else held.delete(keyId);
      },
    };
  });
}
