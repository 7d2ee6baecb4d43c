import { Buffer } from "node:buffer";
import { stripVTControlCharacters } from "node:util";

const maxBytes = 4_096;
const maxLines = 20;

/** The last lines that a program wrote, in bounded memory. */
export class Tail {
  #bytes: Buffer = Buffer.alloc(0);
  #isCut = false;

  push(chunk: Uint8Array): void {
    const last = Buffer.from(chunk.subarray(-maxBytes));
    const all = Buffer.concat([this.#bytes, last]);
    this.#isCut ||= chunk.length > maxBytes || all.length > maxBytes;
    this.#bytes = all.subarray(-maxBytes);
  }

  /** Whole lines only: the rest of a cut line could be half a secret. */
  get text(): string {
    const text = stripVTControlCharacters(this.#bytes.toString("utf8"));
    const whole = this.#isCut ? text.replace(/^\S*(?:[^\n]*\n|\s)/, "") : text;
    return whole.trim().split("\n").slice(-maxLines).join("\n").trim();
  }
}
