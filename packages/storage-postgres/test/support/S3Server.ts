import { once } from "node:events";
import { globSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Signal } from "../../../http/test/support/Signal.ts";

/** The credentials of the server, which the SDK also finds in the environment of this process. */
export const environment = {
  AWS_ACCESS_KEY_ID: "S3RVER",
  AWS_SECRET_ACCESS_KEY: "S3RVER",
  AWS_REGION: "us-east-1",
};
Object.assign(process.env, environment);

/** The package has no types. */
interface S3rver {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
const S3rver: new (options: object) => S3rver = createRequire(import.meta.url)("@20minutes/s3rver");

/**
 * The fate of a request: the server does not see it and an error is the response, it never gets a
 * response, or it is carried out and its response is lost.
 */
export type Fault = { readonly status: number; readonly code: string } | "silent" | "lost";

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** Whether the client went away before the response. */
  isAborted: boolean;
}

/** Passes the first byte on. The server takes the end 0 of a range for no end, and sends all bytes. */
const firstByte = async (reply: IncomingMessage, answer: ServerResponse) => {
  const bytes = await buffer(reply);
  const { "content-range": _, ...headers } = reply.headers;
  answer.writeHead(reply.statusCode ?? 500, { ...headers, "content-length": "1" });
  answer.end(bytes.subarray(0, 1));
};

/** An S3 server on 127.0.0.1 that verifies signatures, and in front of it a network with faults. */
export class S3Server {
  readonly requests: Array<Request> = [];
  readonly signal = new Signal();
  /** The faults of the next requests, then the fault of all others. */
  readonly next: Array<Fault | null> = [];
  fault: Fault | null = null;
  readonly #folder: string;
  readonly #server: S3rver;
  readonly #front: Server;
  #port = 0;

  private constructor(folder: string) {
    this.#folder = folder;
    const settings = { address: "127.0.0.1", port: 0, silent: true };
    this.#server = new S3rver({
      ...settings,
      directory: folder,
      configureBuckets: [{ name: "files" }],
    });
    this.#front = createServer((message, answer) => this.#pass(message, answer));
  }

  static async start(): Promise<S3Server> {
    const folder = await mkdtemp(join(tmpdir(), "quartermaster-s3-"));
    const server = new S3Server(folder);
    await mkdir(folder, { recursive: true });
    server.#port = (await server.#server.run()).port;
    server.#front.listen(0, "127.0.0.1");
    await once(server.#front, "listening");
    return server;
  }

  async close(): Promise<void> {
    this.#front.close();
    this.#front.closeAllConnections();
    await this.#server.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#front.address() as AddressInfo).port}`;
  }

  /** The keys of the objects in the bucket `files`. */
  get keys(): ReadonlyArray<string> {
    const end = "._S3rver_object";
    return globSync(`**/*${end}`, { cwd: join(this.#folder, "files") }).map((path) =>
      path.slice(0, -end.length),
    );
  }

  #pass(message: IncomingMessage, answer: ServerResponse) {
    const fault = this.next.shift() ?? this.fault;
    const { headers, method = "", url = "" } = message;
    const seen: Request = { method, path: url, headers, isAborted: false };
    this.requests.push(seen);
    answer.on("close", () => {
      seen.isAborted = !answer.writableFinished;
      this.signal.notify();
    });
    this.signal.notify();
    if (fault === "silent") return;
    if (fault !== null && fault !== "lost") {
      message.resume();
      const { code, status } = fault;
      answer.writeHead(status, { "content-type": "application/xml" });
      answer.end(`<Error><Code>${code}</Code><Message>The test says so</Message></Error>`);
      return;
    }
    const { expect: _, ...rest } = headers;
    const sent = request({ port: this.#port, method, path: url, headers: rest }, (reply) => {
      if (fault === "lost") {
        reply.resume();
        reply.on("end", this.signal.notify);
        return;
      }
      if (headers.range === "bytes=0-0" && reply.statusCode === 206) {
        void firstByte(reply, answer);
        return;
      }
      answer.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(answer);
    });
    sent.on("error", () => answer.destroy());
    answer.on("close", () => sent.destroy());
    message.pipe(sent);
  }
}
