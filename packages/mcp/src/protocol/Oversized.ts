import { Buffer } from "node:buffer";
import type { RequestId } from "@modelcontextprotocol/client";

/** Bytes retained at each end. */
const edge = 1_024;

const id = String.raw`"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")`;
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
/** Matches the SSE fields before the data of an event. */
const fields = String.raw`(?:(?:event|id|retry)?:[^\r\n]*[\r\n]+)*data:`;
/** Matches the start of a response, as a line or an event, possibly with its id. */
const start = new RegExp(
  String.raw`^(?:${fields})?\s*\{\s*(?:${version}\s*,\s*)?(?:${id}\s*,\s*)?(?:${version}\s*,\s*)?"(?:result|error)"\s*:`,
);
/** Matches the end of a response that has its id last, as the official TypeScript SDK writes it. */
const end = new RegExp(String.raw`,\s*${id}\s*(?:,\s*${version}\s*)?\}\s*$`);

/** A message that is too large to buffer. Only its size and both ends are retained. */
export class Oversized {
  #bytes = 0;
  #head = "";
  /** The last chunks, just enough to contain the end. They are decoded once, not per chunk. */
  #last: Array<Buffer> = [];
  #lastBytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The id of the response, if it comes before or after the result. The server chooses the order of
   * members. If the id is elsewhere, the request ends with its time limit.
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
