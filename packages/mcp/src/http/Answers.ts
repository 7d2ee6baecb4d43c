import { wellFormed } from "../protocol/WellFormed.ts";

/** Bodies of a remote server with its responses repaired, so that the SDK reads each of them. */

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

/** An event of a stream, without the empty line at its end. */
const repairedEvent = (event: string): string => {
  const lines = event.split(/\r\n|\r|\n/);
  const data = lines.filter((line) => line.startsWith("data:"));
  if (data.length === 0) return event;
  const text = data.map((line) => line.slice("data:".length).replace(/^ /, "")).join("\n");
  const answer = repaired(text);
  if (answer === text) return event;
  return [...lines.filter((line) => !line.startsWith("data:")), `data: ${answer}`].join("\n");
};

/** An empty line, and the end of the line before it. */
const endOfEvent = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)/;
const longestEnd = 4;

/** Repairs each event once it is complete, as its reader waits for that anyway. Scans each character once. */
const events = () => {
  let scanned: Array<string> = [];
  let rest = "";
  return new TransformStream<string, string>({
    transform: (chunk, controller) => {
      rest += chunk;
      for (let end = endOfEvent.exec(rest); end !== null; end = endOfEvent.exec(rest)) {
        scanned.push(rest.slice(0, end.index));
        controller.enqueue(repairedEvent(scanned.join("")) + end[0]);
        scanned = [];
        rest = rest.slice(end.index + end[0].length);
      }
      scanned.push(rest.slice(0, -longestEnd));
      rest = rest.slice(-longestEnd);
    },
    flush: (controller) => controller.enqueue(scanned.join("") + rest),
  });
};

const whole = () => {
  const chunks: Array<string> = [];
  return new TransformStream<string, string>({
    transform: (chunk) => {
      chunks.push(chunk);
    },
    flush: (controller) => controller.enqueue(repaired(chunks.join(""))),
  });
};

/** The same response, whose messages the SDK reads. */
export const body = (response: Response): Response => {
  if (response.body === null || !response.ok) return response;
  const type = response.headers.get("content-type") ?? "";
  const repair = /^text\/event-stream\b/i.test(type)
    ? events()
    : /^application\/json\b/i.test(type)
      ? whole()
      : null;
  if (repair === null) return response;
  const { headers, status, statusText } = response;
  const stream = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(repair)
    .pipeThrough(new TextEncoderStream());
  return new Response(stream, { status, statusText, headers });
};
