import { Buffer } from "node:buffer";
import { stripVTControlCharacters } from "node:util";

const maxBytes = 4_096;
const maxLines = 20;

/** The last lines of what a program writes, whatever it writes. */
export class Tail {
  #bytes: Buffer = Buffer.alloc(0);
  #cut = false;

  push(chunk: Uint8Array): void {
    const last = Buffer.from(chunk.subarray(-maxBytes));
    const all = Buffer.concat([this.#bytes, last]);
    this.#cut ||= chunk.length > maxBytes || all.length > maxBytes;
    this.#bytes = all.subarray(-maxBytes);
  }

  /** Whole lines only: what is left of one that was cut could be half a secret. */
  get text(): string {
    const text = stripVTControlCharacters(this.#bytes.toString("utf8"));
    const whole = this.#cut ? text.replace(/^\S*(?:[^\n]*\n|\s)/, "") : text;
    return whole.trim().split("\n").slice(-maxLines).join("\n").trim();
  }
}
