import { type IncomingMessage, type Server, type ServerOptions, createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { Effect, FileSystem } from "effect";
import { ServerConfig } from "./ServerConfig.ts";
import { StartError } from "./StartError.ts";

const seconds = (count: number) => count * 1000;

/** How long a client may say nothing in the middle of a body, however slow it is otherwise. */
const bodySilence = seconds(60);

const options = {
  headersTimeout: seconds(30),
  // Bodies are judged by their silence, not by their length.
  requestTimeout: 0,
  keepAliveTimeout: seconds(65),
  maxHeaderSize: 16 * 1024,
  // No route upgrades: such a request is answered as if it did not ask.
  shouldUpgradeCallback: () => false,
} satisfies ServerOptions & { shouldUpgradeCallback: () => boolean };

const bare = Effect.gen(function* () {
  const { tls } = yield* ServerConfig;
  if (tls === null) return createServer(options);
  const cert = yield* readPem("QM_TLS_CERT", tls.cert);
  const key = yield* readPem("QM_TLS_KEY", tls.key);
  return yield* Effect.try({
    try: () => createSecureServer({ ...options, cert, key, minVersion: "TLSv1.2" }),
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
        message: `${name} must name a PEM file that this user may read, but ${file} is none (${reason._tag}).`,
      }),
  );
});

/** Node's server, with HTTPS if it is set up, and the limits that belong to connections. */
export const make = Effect.gen(function* () {
  const server = yield* bare;
  // An accept that fails, as for want of files, fails alone.
  server.on("error", () => {});
  endSilentBodies(server);
  answerMalformed(server);
  return server;
});

/** What a failure of Node's is called. */
export const reasonOf = (cause: unknown) =>
  cause instanceof Error ? ("code" in cause ? String(cause.code) : cause.message) : String(cause);

/** Ends connections that go silent in the middle of a request's body. */
const endSilentBodies = (server: Server) => {
  const watch = (request: IncomingMessage) => {
    const { headers, socket } = request;
    // A request without a body may take its time to be answered, and nobody reads it to its end.
    const length = Number(headers["content-length"] ?? 0);
    if (length === 0 && headers["transfer-encoding"] === undefined) return;
    socket.setTimeout(bodySilence);
    request.once("end", () => {
      // Unless it is the time limit of an idle connection by now.
      if (socket.timeout === bodySilence) socket.setTimeout(0);
    });
  };
  server.on("request", watch).on("checkContinue", watch);
};

/** What is no HTTP reaches no route: it is answered here. */
const answerMalformed = (server: Server) =>
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const answer = malformed[error.code ?? ""] ?? badRequest;
    if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    const body = JSON.stringify(answer);
    return socket.end(
      `HTTP/1.1 ${answer.status} ${answer.title}\r\nConnection: close\r\n` +
        `Content-Type: application/problem+json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  });

const badRequest = {
  type: "urn:quartermaster:problem:invalid-request",
  title: "Invalid request",
  status: 400,
  detail: "Send a well-formed HTTP/1.1 request.",
  errors: [{ path: "", message: "Not HTTP" }],
};

const malformed: Record<string, Omit<typeof badRequest, "errors">> = {
  HPE_HEADER_OVERFLOW: {
    type: "about:blank",
    title: "Request Header Fields Too Large",
    status: 431,
    detail: `Send at most ${options.maxHeaderSize} bytes of headers.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    type: "about:blank",
    title: "Request Timeout",
    status: 408,
    detail: "Send the headers of a request at once.",
  },
};
