import type { Agent, IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import {
  Addresses,
  SettingNames,
  WebhookOptions,
  WebhookSender,
  WebhookUrl,
} from "@quartermaster/core";
import { Effect, Layer, Redacted } from "effect";
import * as Host from "../programs/processes/Host.ts";
import { NetworkOptions, type Resolved } from "../servers/network/NetworkOptions.ts";
import * as Unreachable from "../servers/network/Unreachable.ts";
import * as SafeAddress from "./SafeAddress.ts";

/** The time limit of a request: name, connection, TLS and response. */
const requestMillis = 15_000;
/** The bytes of a response that are read. */
const maxBytes = 1_024;

/** An address that is not allowed. */
class Refused extends Error {}

type Resolve = (typeof NetworkOptions)["Service"]["resolve"];

/** Resolves a name once per connection, and yields only checked addresses: all of them, or none. */
const lookupOf =
  (resolve: Resolve, check: (address: string) => string | null): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, (error, addresses) => {
      const problem = addresses.map(({ address }) => check(address)).find((each) => each !== null);
      const [first]: ReadonlyArray<Resolved> = addresses;
      if (error !== null) callback(error, []);
      else if (problem != null) callback(new Refused(problem), []);
      else if (options.all === true) callback(null, [...addresses]);
      else callback(null, first?.address ?? "", first?.family);
    });

/** The first bytes of a response as text, without control characters other than line breaks and tabs. */
export const textOf = (chunks: ReadonlyArray<Buffer>): string =>
  Buffer.concat(chunks)
    .subarray(0, maxBytes)
    .toString("utf8")
    .replaceAll(/[^\P{Cc}\n\t]|\u2028|\u2029|[\u202a-\u202e\u2066-\u2069]/gu, "")
    .replace(/\ufffd$/u, "");

const failure = (error: string, timedOut = false): WebhookSender.WebhookResponse => ({
  status: null,
  error,
  text: null,
  retryAfter: null,
  timedOut,
});

/** Reads the start of a response. Resolves when there is enough, when it ends, and when it breaks. */
const readStart = (response: IncomingMessage): Promise<ReadonlyArray<Buffer>> =>
  new Promise((resolve) => {
    const chunks: Array<Buffer> = [];
    let count = 0;
    const end = () => resolve(chunks);
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      count += chunk.length;
      if (count >= maxBytes) end();
    });
    response.on("end", end).on("close", end).on("error", end);
  });

const moduleOf = (url: URL) => (url.protocol === "https:" ? Host.https() : Host.http());

interface Connecting {
  readonly url: URL;
  readonly lookup: LookupFunction;
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

/** Sends the request. Redirects are responses like others. */
const exchange = async (
  { agent, lookup, signal, url }: Connecting,
  { body, headers }: WebhookSender.WebhookRequest,
): Promise<WebhookSender.WebhookResponse> => {
  const { request } = moduleOf(url);
  const bytes = Buffer.from(body);
  const sent = { ...headers, "content-length": String(bytes.length) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method: "POST", agent, lookup, signal, headers: sent }, resolve)
      .on("error", reject)
      .end(bytes);
  });
  const isPublic = Addresses.reachOf(response.socket.remoteAddress ?? "") === "public";
  const chunks = await readStart(response);
  response.destroy();
  return {
    status: response.statusCode ?? null,
    error: null,
    text: isPublic ? textOf(chunks) : null,
    retryAfter: response.headers["retry-after"] ?? null,
    timedOut: false,
  };
};

/** The error of a request without a response. Names only the origin, since the rest may be secret. */
const failureOf = (error: unknown, url: URL, signal: AbortSignal) => {
  if (signal.aborted) {
    return failure(`${url.origin}: no response within ${requestMillis / 1_000} s.`, true);
  }
  return error instanceof Refused
    ? failure(error.message)
    : failure(Unreachable.of(new Error("", { cause: error }), url.origin).message);
};

/**
 * Sends requests to webhooks with Node's own client: it uses no proxy of the environment, follows no redirect, and
 * opens a connection for each request, so that every attempt checks the addresses.
 */
export const layer: Layer.Layer<WebhookSender.WebhookSender> = Layer.effect(
  WebhookSender.WebhookSender,
  Effect.gen(function* () {
    const { privateHosts, resolve } = yield* NetworkOptions;
    const names = yield* SettingNames.SettingNames;
    const options = yield* WebhookOptions.WebhookOptions;
    const rules: SafeAddress.Rules = {
      local: options.local,
      localSetting: names.webhookLocal,
      ownPorts: options.ownPorts,
      privateHosts,
      privateHostsSetting: names.privateHosts,
    };

    const send = Effect.fnUntraced(function* (request: WebhookSender.WebhookRequest) {
      const text = Redacted.value(request.url);
      // The rules may have changed since the URL was stored.
      const problem = WebhookUrl.problemOf(text, options, names.webhookLocal);
      if (problem !== null) return failure(`The URL ${problem}.`);
      const url = new URL(text);
      const target = { hostname: url.hostname, port: WebhookUrl.portOf(url) };
      const lookup = lookupOf(resolve, (address) => SafeAddress.problemOf(address, target, rules));
      // The default agent may use a proxy of the environment.
      const agent = new (moduleOf(url).Agent)();
      return yield* Effect.promise(async (interrupted) => {
        const timeout = AbortSignal.timeout(requestMillis);
        const signal = AbortSignal.any([timeout, interrupted]);
        return exchange({ url, lookup, agent, signal }, request).catch((error) =>
          failureOf(error, url, timeout),
        );
      });
    });
    return WebhookSender.WebhookSender.of({ send });
  }),
);
