import type { IncomingMessage, Server, ServerOptions, ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { NodeProcess } from "@quartermaster/cli";
import { Connection } from "@quartermaster/http";
import { Effect, FileSystem } from "effect";
import { ServerConfig } from "../config/ServerConfig.ts";
import { StartError } from "../config/StartError.ts";
import * as ConnectionLimits from "./ConnectionLimits.ts";
import * as Upgrades from "./Upgrades.ts";

const seconds = (count: number) => count * 1000;

const options = {
  headersTimeout: seconds(30),
  // ConnectionLimits limits the time of bodies: a large upload may take long.
  requestTimeout: 0,
  keepAliveTimeout: seconds(65),
  maxHeaderSize: 16 * 1024,
  // Node would read the empty body of each GET to its end.
  optimizeEmptyRequests: true,
  shouldUpgradeCallback: () => false,
} satisfies ServerOptions & { shouldUpgradeCallback: () => boolean };

/**
 * Responses whose head and text are one string for the socket. Effect's server makes Node compare the length of each body
 * with `Content-Length`, and Node then adds an empty part. The length of a text comes from the text. Without the part, and
 * without reading empty bodies, a get takes 6 % less processor time.
 */
const responses = (): typeof ServerResponse => {
  const node = NodeProcess.http();
  return class<Request extends IncomingMessage> extends node.ServerResponse<Request> {
    override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
      if (typeof chunk === "string") this.strictContentLength = false;
      return super.end(chunk, encoding as BufferEncoding, callback as () => void);
    }
  };
};

const bare = Effect.gen(function* () {
  const { tls } = yield* ServerConfig;
  if (tls === null) {
    return NodeProcess.http().createServer({ ...options, ServerResponse: responses() });
  }
  const cert = yield* readPem("QM_TLS_CERT", tls.cert);
  const key = yield* readPem("QM_TLS_KEY", tls.key);
  return yield* Effect.try({
    try: () =>
      createSecureServer({
        ...options,
        ServerResponse: responses(),
        cert,
        key,
        minVersion: "TLSv1.2",
        handshakeTimeout: seconds(30),
      }),
    catch: (cause) =>
      new StartError({
        message: `QM_TLS_CERT and QM_TLS_KEY must name a certificate and its key, as PEM files: ${tls.cert} and ${tls.key} are not (${reasonOf(cause)}).`,
      }),
  });
});

const readPem = Effect.fnUntraced(function* (name: string, file: string) {
  const fs = yield* FileSystem.FileSystem;
  return yield* Effect.mapError(
    fs.readFileString(file),
    ({ reason }) =>
      new StartError({
        message: `${name} must name a PEM file that this user may read, but ${file} cannot be read (${reason._tag}).`,
      }),
  );
});

/** Node's server with connection limits, and with HTTPS if it is configured. */
export const make = Effect.gen(function* () {
  const { publicUrl, tls, trustedProxies } = yield* ServerConfig;
  const server = yield* bare;
  // A failed accept, for example without free file descriptors, must not end the process.
  server.on("error", () => {});
  yield* ConnectionLimits.apply(server, Connection.shares(trustedProxies));
  respondToMalformed(server);
  Upgrades.endConnection(server);
  if (tls !== null || publicUrl?.startsWith("https:") === true) requireHttps(server, publicUrl);
  return server;
});

/** Whether the host is this machine, whose other ports may have programs on plain HTTP. */
const isLocal = (host: string) => /^(?:.+\.)?localhost$/i.test(host);

/**
 * Sets HSTS, so that browsers only use HTTPS. It covers a whole host, and browsers ignore it for an
 * IP address.
 */
const requireHttps = (server: Server, publicUrl: string | null) => {
  const publicHost = publicUrl === null ? undefined : new URL(publicUrl).hostname;
  const set = ({ headers }: IncomingMessage, response: ServerResponse) => {
    if (isLocal(publicHost ?? headers.host?.replace(/:\d+$/, "") ?? "")) return;
    response.setHeader("Strict-Transport-Security", "max-age=31536000");
  };
  server.prependListener("request", set).prependListener("checkContinue", set);
};

/** The code of a Node error, else its message. */
export const reasonOf = (cause: unknown) =>
  cause instanceof Error ? ("code" in cause ? String(cause.code) : cause.message) : String(cause);

interface Malformed extends NodeJS.ErrnoException {
  /** The received bytes that are not valid HTTP. */
  readonly rawPacket?: Buffer;
}

/** Responds to malformed HTTP, which reaches no route. */
const respondToMalformed = (server: Server) =>
  server.on("clientError", (error: Malformed, socket) => {
    const answer = malformed[error.code ?? ""] ?? badRequest;
    if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    const body = JSON.stringify(answer);
    const isHead = error.rawPacket?.toString("latin1", 0, 5) === "HEAD ";
    return socket.end(
      `HTTP/1.1 ${answer.status} ${answer.title}\r\nConnection: close\r\n` +
        "Cache-Control: no-store\r\nContent-Type: application/problem+json\r\n" +
        `Content-Length: ${body.length}\r\n\r\n${isHead ? "" : body}`,
    );
  });

const badRequest = {
  type: "urn:quartermaster:problem:invalid-request",
  title: "Invalid request",
  status: 400,
  detail: "The request is malformed. Send a well-formed HTTP/1.1 request.",
  errors: [{ path: "", message: "Not HTTP" }],
};

const malformed: Record<string, Omit<typeof badRequest, "errors">> = {
  HPE_HEADER_OVERFLOW: {
    type: "about:blank",
    title: "Request Header Fields Too Large",
    status: 431,
    detail: `The headers are too large. Send at most ${options.maxHeaderSize} bytes of headers.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    type: "about:blank",
    title: "Request Timeout",
    status: 408,
    detail: "The headers did not arrive in time. Send them within 30 seconds.",
  },
};
