import { Buffer } from "node:buffer";
import { maxMessageBytes, maxSkippedBytes } from "../../protocol/Limits.ts";
import { Oversized } from "../../protocol/Oversized.ts";
import { wellFormed } from "../../protocol/WellFormed.ts";
import * as Bounded from "../network/Bounded.ts";
import * as Failure from "../session/Failure.ts";

/**
 * Response bodies of a remote server, with messages repaired so that the SDK accepts them. An error
 * with the size replaces an oversized message.
 */

const repaired = (text: string): string => {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return text;
  }
  const read = Array.isArray(sent) ? sent.map(wellFormed) : wellFormed(sent);
  const isSame = Array.isArray(sent)
    ? sent.every((message, index) => message === Reflect.get(Object(read), index))
    : read === sent;
  return isSame ? text : JSON.stringify(read);
};

/** Repairs one event of a stream, without its final empty line. */
const repairedEvent = (event: string): string => {
  const lines = event.split(/\r\n|\r|\n/);
  const data = lines.filter((line) => line.startsWith("data:"));
  if (data.length === 0) return event;
  const text = data.map((line) => line.slice("data:".length).replace(/^ /, "")).join("\n");
  const answer = repaired(text);
  if (answer === text) return event;
  return [...lines.filter((line) => !line.startsWith("data:")), `data: ${answer}`].join("\n");
};

/** Matches an empty line and the end of the line before it. */
const endOfEvent = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)/;
const longestEnd = 4;

/** Buffers the text of a message. Beyond the limit it retains only the size and both ends. */
class Gathered {
  #texts: Array<string> = [];
  #bytes = 0;
  oversized: Oversized | null = null;

  /** Appends text. Returns whether to continue reading. */
  push(text: string): boolean {
    if (this.oversized === null) {
      this.#texts.push(text);
      this.#bytes += Buffer.byteLength(text);
      if (this.#bytes <= maxMessageBytes) return true;
      this.oversized = new Oversized();
      for (const stored of this.#texts.splice(0)) this.oversized.push(Buffer.from(stored));
      return true;
    }
    this.oversized.push(Buffer.from(text));
    return this.oversized.bytes <= maxSkippedBytes;
  }

  get text(): string {
    return this.#texts.join("");
  }
}

/** The error that replaces an oversized response; undefined if its request is unknown. */
const substitute = (oversized: Oversized): string | undefined => {
  const { bytes, responseId } = oversized;
  return responseId === undefined
    ? undefined
    : JSON.stringify(Failure.tooLarge(responseId, bytes, maxMessageBytes));
};

const tooLarge = () => {
  const why = `The server's response is larger than ${maxMessageBytes} bytes.`;
  return new Failure.TransportFailure("tooLarge", why, true);
};
/**
 * Repairs each event when it is complete, which is when its reader needs it. Scans each character
 * once.
 */
const events = () => {
  let event = new Gathered();
  let rest = "";
  const complete = () => {
    const { oversized, text } = event;
    event = new Gathered();
    if (oversized === null) return repairedEvent(text);
    const answer = substitute(oversized);
    return answer === undefined ? "" : `data: ${answer}`;
  };
  return new TransformStream<string, string>({
    transform: (chunk, controller) => {
      rest += chunk;
      for (let end = endOfEvent.exec(rest); end !== null; end = endOfEvent.exec(rest)) {
        event.push(rest.slice(0, end.index));
        controller.enqueue(complete() + end[0]);
        rest = rest.slice(end.index + end[0].length);
      }
      const goesOn = event.push(rest.slice(0, -longestEnd));
      rest = rest.slice(-longestEnd);
      if (!goesOn) controller.terminate();
    },
    flush: (controller) => controller.enqueue(event.text + rest),
  });
};

const whole = () => {
  const gathered = new Gathered();
  return new TransformStream<string, string>({
    transform: (chunk, controller) => {
      if (!gathered.push(chunk)) controller.error(tooLarge());
    },
    flush: (controller) => {
      const { oversized, text } = gathered;
      const answer = oversized === null ? repaired(text) : substitute(oversized);
      if (answer === undefined) controller.error(tooLarge());
      else controller.enqueue(answer);
    },
  });
};

/** Returns the response with repaired messages. */
export const body = (response: Response): Response => {
  if (response.body === null) return response;
  const type = response.headers.get("content-type") ?? "";
  const repair = !response.ok
    ? null
    : /^text\/event-stream\b/i.test(type)
      ? events()
      : /^application\/json\b/i.test(type)
        ? whole()
        : null;
  if (repair === null) return Bounded.body(response, maxMessageBytes, tooLarge);
  const { headers, status, statusText } = response;
  const stream = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(repair)
    .pipeThrough(new TextEncoderStream());
  return new Response(stream, { status, statusText, headers });
};
