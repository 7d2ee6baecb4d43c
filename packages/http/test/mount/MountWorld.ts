import { onTestFinished } from "@effect/vitest";
import { Keys, Principal } from "@quartermaster/core";
import { TestCore } from "@quartermaster/testing";
import { Effect, Layer, ManagedRuntime, Stream } from "effect";
import { HttpBody, HttpServerResponse } from "effect/http";
import { type Observe, RequestObserver } from "../../src/endpoint/RequestObserver.ts";
import * as Mount from "../../src/Mount.ts";
import * as Client from "../support/Client.ts";
import type { NewKey } from "../support/TestServer.ts";
import { type Options, hosts } from "./Hosts.ts";

/** Quartermaster over storage in memory, mounted in a framework. */

/** Counts requests in flight, and streams until they end. */
const observer = () => {
  let inFlight = 0;
  const waiting: Array<() => void> = [];
  const change = (by: number) => {
    inFlight += by;
    for (const resume of waiting.splice(0)) resume();
  };
  const until = async (isMet: () => boolean) => {
    while (!isMet()) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const end = Effect.sync(() => change(-1));
  const observe: Observe = () => {
    change(1);
    return (response) => {
      const { body } = response;
      if (body._tag !== "Stream") return Effect.as(end, response);
      const stream = Stream.ensuring(body.stream, end);
      return Effect.succeed(
        HttpServerResponse.setBody(
          response,
          HttpBody.stream(stream, body.contentType, body.contentLength),
        ),
      );
    };
  };
  return {
    observe,
    count: () => inFlight,
    started: () => until(() => inFlight > 0),
    idle: () => until(() => inFlight === 0),
  };
};

export const prepare = async () => {
  const requests = observer();
  const runtime = ManagedRuntime.make(
    Layer.merge(TestCore.layerMcp, Layer.succeed(RequestObserver, requests.observe)),
  );
  onTestFinished(() => runtime.dispose());
  const key = async (key: NewKey) => {
    const made = await runtime.runPromise(
      Effect.provideService(
        Keys.Keys.use((keys) => keys.create({ name: key.role, ...key })),
        Principal.CurrentPrincipal,
        Principal.system,
      ),
    );
    return made.key;
  };
  return { requests, runtime, key, owner: await key({ role: "Owner" }) };
};

export interface Setting extends Mount.Options {
  readonly host: keyof typeof hosts;
  readonly prefix: string;
  readonly parsesBodies?: boolean;
  /** The path at which the host mounts the routes, if it differs from their prefix. */
  readonly mountedAt?: Options["prefix"];
}

export const start = async ({ host, mountedAt, parsesBodies = false, ...options }: Setting) => {
  const world = await prepare();
  const mount = await Mount.open(world.runtime, options);
  const { prefix } = options;
  const { close, url } = await hosts[host]({ mount, parsesBodies, prefix: mountedAt ?? prefix });
  onTestFinished(close);
  onTestFinished(() => mount.close());
  const root = { url };
  return {
    ...world,
    mount,
    close,
    /** The URL of the host; paths of links are below it. */
    url,
    /** The URL that clients of Quartermaster are configured with. */
    base: `${url}${prefix}`,
    /** Calls a path of the contract. */
    call: (method: string, path: string, call?: Client.Call) =>
      Client.call(root, method, `${prefix}${path}`, { key: world.owner, ...call }),
    /** Calls a path of the host, such as a link. */
    follow: (path: string, call?: Client.Call) =>
      Client.call(root, "GET", path, { key: world.owner, ...call }),
  };
};
