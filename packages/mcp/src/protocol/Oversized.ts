import { Buffer } from "node:buffer";
import type { RequestId } from "@modelcontextprotocol/client";

/** Bytes that are retained of each end. */
const edge = 1_024;

const id = String.raw`"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")`;
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
/** The fields of an event before its data. */
const fields = String.raw`(?:(?:event|id|retry)?:[^\r\n]*[\r\n]+)*data:`;
/** The start of a response, as a line or as an event. It may have the id. */
const start = new RegExp(
  String.raw`^(?:${fields})?\s*\{\s*(?:${version}\s*,\s*)?(?:${id}\s*,\s*)?(?:${version}\s*,\s*)?"(?:result|error)"\s*:`,
);
/** The end of a response that has the id there, as the official SDK for TypeScript writes it. */
const end = new RegExp(String.raw`,\s*${id}\s*(?:,\s*${version}\s*)?\}\s*$`);

/** A message that is too large to be stored. Only its size and its ends are. */
export class Oversized {
  #bytes = 0;
  #head = "";
  /** The last parts, no more than have the end. Their text is read once, not for every part. */
  #last: Array<Buffer> = [];
  #lastBytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The id, if it is a response that has the id before or after its result. The server chooses the order; the request of
   * another response ends with its time limit.
   */
  get responseId(): RequestId | undefined {
    const found = start.exec(this.#head);
    if (found === null) return undefined;
    const [, text] = found[1] === undefined ? (end.exec(this.#tail()) ?? []) : found;
    return text === undefined ? undefined : (JSON.parse(text) as RequestId);
  }

  push(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#head.length < edge) {
      this.#head += part.toString("latin1", 0, edge - this.#head.length);
    }
    this.#last.push(part);
    this.#lastBytes += part.length;
    while (this.#lastBytes - (this.#last[0]?.length ?? 0) >= edge) {
      this.#lastBytes -= this.#last.shift()?.length ?? 0;
    }
  }

  #tail(): string {
    return Buffer.concat(this.#last).toString("latin1").slice(-edge);
  }
}
