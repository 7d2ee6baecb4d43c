import { connect } from "node:net";

/**
 * The load generator. It is a separate process, so that it shares no event loop with a server. Each
 * connection stays open and has one request in flight. The generator responds to each message
 * (`Job`) with an `Outcome`.
 */

export interface Request {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body?: string | undefined;
  /** Default: the key of the job. */
  readonly key?: string | undefined;
  /** Headers of this request, in addition to the headers of all requests. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Job {
  readonly port: number;
  /** The connections alternate between `port` and these. Default: none. */
  readonly otherPorts?: ReadonlyArray<number> | undefined;
  readonly key: string;
  /** The requests, sent in turn. After the last one the first one follows again. */
  readonly requests: ReadonlyArray<Request>;
  readonly connections: number;
  /** In milliseconds, like `duration`. Requests during this time do not count. */
  readonly warmUp: number;
  readonly duration: number;
  /**
   * Requests per second, at even intervals, regardless of the response times: a latency counts from
   * the time at which the request was due. Without a rate, each connection sends the next request
   * as soon as it has a response.
   */
  readonly rate?: number | undefined;
  /** Sends each request once and stops. `warmUp` and `duration` have no effect. */
  readonly once?: boolean | undefined;
}

export interface Outcome {
  readonly perSecond: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Responses other than 2xx, and broken connections. */
  readonly errors: number;
  /** The first error. */
  readonly error: string | null;
}

const encode = (job: Job, { method, path, body, headers = {}, key = job.key }: Request): Buffer => {
  const content =
    body === undefined
      ? ""
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  const further = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${job.port}\r\nAuthorization: Bearer ${key}\r\n` +
      `${further.join("")}${content}\r\n${body ?? ""}`,
  );
};

const endOfHead = Buffer.from("\r\n\r\n");
const lastChunk = Buffer.from("0\r\n\r\n");

/** Calls `answered` with the status of each complete response. */
const parser = (answered: (status: number, data: Buffer) => void) => {
  let kept: Buffer = Buffer.alloc(0);
  /** The length of the response in bytes; null until the head is complete. */
  let length: number | null = null;
  let status = 0;
  let chunked = false;
  return (data: Buffer) => {
    kept = kept.length === 0 ? data : Buffer.concat([kept, data]);
    if (length === null && !chunked) {
      const end = kept.indexOf(endOfHead);
      if (end < 0) return;
      const head = kept.toString("latin1", 0, end);
      status = Number(head.slice(9, 12));
      const size = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      if (size !== undefined) length = end + 4 + Number(size);
      else if (/\r\ntransfer-encoding: *chunked/i.test(head)) chunked = true;
      else length = end + 4;
    }
    // JSON is sent without raw line breaks, so nothing but the last chunk looks like it.
    const whole = chunked
      ? kept.subarray(-lastChunk.length).equals(lastChunk)
      : length !== null && kept.length >= length;
    if (!whole) return;
    const answer = kept;
    kept = Buffer.alloc(0);
    length = null;
    chunked = false;
    answered(status, answer);
  };
};

/** The value below which this share of the sorted numbers lies. */
const quantile = (sorted: Float64Array, share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

const run = async (job: Job): Promise<Outcome> => {
  const requests = job.requests.map((request) => encode(job, request));
  const latencies: Array<number> = [];
  let turn = 0;
  let errors = 0;
  let error: string | null = null;
  const failed = (reason: string) => {
    errors++;
    error ??= reason;
  };
  const begin = performance.now();
  const from = begin + job.warmUp;
  const until = from + job.duration;
  const isOver = (now: number) => (job.once === true ? turn >= requests.length : now >= until);

  const ports = [job.port, ...(job.otherPorts ?? [])];
  const connection = (_: unknown, index: number) =>
    new Promise<void>((resolve) => {
      let sent = 0;
      const socket = connect(ports[index % ports.length] ?? job.port, "127.0.0.1");
      socket.setNoDelay(true);
      const send = () => {
        const now = performance.now();
        const due = job.rate === undefined ? now : begin + (turn * 1_000) / job.rate;
        const request = requests[turn++ % requests.length];
        if (request === undefined) return;
        sent = due;
        if (due <= now) socket.write(request);
        else setTimeout(() => socket.write(request), due - now);
      };
      socket.on(
        "data",
        parser((status, answer) => {
          const now = performance.now();
          if (status < 200 || status > 299) failed(answer.toString("utf8", 0, 1_000));
          if (job.once === true || (now >= from && now < until)) latencies.push(now - sent);
          if (isOver(now)) socket.end();
          else send();
        }),
      );
      socket.on("connect", () => {
        if (isOver(performance.now())) socket.end();
        else send();
      });
      socket.on("error", (cause) => failed(cause.message));
      socket.on("close", () => {
        if (!isOver(performance.now())) failed("the server closed the connection");
        resolve();
      });
    });

  await Promise.all(Array.from({ length: job.connections }, connection));
  if (job.once === true && latencies.length < requests.length) failed("a request got no answer");
  const sorted = Float64Array.from(latencies).toSorted();
  const took = job.once === true ? performance.now() - begin : job.duration;
  return {
    perSecond: (latencies.length * 1_000) / took,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    errors,
    error,
  };
};

process.on("message", (job: Job) => {
  void run(job).then((outcome) => process.send?.(outcome));
});
process.on("disconnect", () => process.exit(0));
