import { createHash, hash } from "node:crypto";
import type { Portable } from "@quartermaster/storage-sql";

/** The digest of a table: the sum of the hashes of its rows, so that their order does not matter. */

const modulus = 2n ** 64n;

export const sha256 = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex");

export class Digest {
  count = 0;
  #sum = 0n;

  readonly add = (row: Portable.Row): void => {
    this.count++;
    this.#sum += BigInt(`0x${hash("sha256", JSON.stringify(row)).slice(0, 16)}`);
  };

  /** 16 hex digits. */
  get text(): string {
    return (this.#sum % modulus).toString(16).padStart(16, "0");
  }
}
