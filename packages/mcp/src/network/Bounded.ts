/** A response with a size limit: for the whole body, or for each event of a stream of events. */

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Counts bytes since the last empty line. */
const eventCounter = () => {
  let count = 0;
  let lineIsEmpty = true;
  return (chunk: Uint8Array): number => {
    let highest = 0;
    for (const byte of chunk) {
      count += 1;
      if (byte === lineFeed) {
        if (lineIsEmpty) {
          highest = Math.max(highest, count);
          count = 0;
        }
        lineIsEmpty = true;
      } else if (byte !== carriageReturn) lineIsEmpty = false;
    }
    return Math.max(highest, count);
  };
};

const byteCounter = () => {
  let count = 0;
  return (chunk: Uint8Array): number => (count += chunk.length);
};

/** The same response, whose body fails with `tooLarge` beyond the limit. */
export const body = (response: Response, limit: number, tooLarge: () => Error): Response => {
  if (response.body === null) return response;
  const isEvents = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  const count = isEvents ? eventCounter() : byteCounter();
  const bounded = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        if (count(chunk) > limit) controller.error(tooLarge());
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(bounded, { status, statusText, headers });
};
