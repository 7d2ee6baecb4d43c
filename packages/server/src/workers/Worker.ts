import cluster from "node:cluster";
import { NodeProcess } from "@quartermaster/cli";
import { Config, Context, Deferred, Effect, Exit, Layer, Queue } from "effect";
import type { ToParent, ToWorker } from "./Messages.ts";
import * as Reports from "./Reports.ts";

/** The variable with the name of a worker: the id of the service's start, a slash and its number. */
export const variable = "QUARTERMASTER_WORKER";

/** The time that a scrape waits for the metrics of the other workers. */
const patience = "1 second";

/** This process as one of the workers that serve the same port; null if it is the only one. */
export const Worker = Context.Reference<{
  /** The number of the worker, from 1. A worker that starts again has the number of the one before. */
  readonly number: number;
  /** Whether the program starts, and not only this worker. */
  readonly isFirst: boolean;
  /** The name that other nodes have for this worker. */
  readonly url: string;
  /** Returns the URL of a node, which may be such a name; null if no worker of this program has it. */
  readonly addressOf: (url: string) => string | null;
  /** Calls a function with the ports of all workers, now and after each change. */
  readonly onPorts: (use: (ports: Iterable<number>) => void) => void;
  /** Reports that this worker serves requests, and the port of its own listener. */
  readonly ready: (port: number) => void;
  /** Returns the metrics of all workers. Others get `own` when they need this worker's. */
  readonly withOthers: (own: Effect.Effect<string>) => Effect.Effect<string>;
} | null>("@quartermaster/server/workers/Worker", { defaultValue: () => null });

const make = Effect.gen(function* () {
  const self = cluster.worker;
  const name = yield* Effect.orDie(Config.String(variable).pipe(Config.withDefault("")));
  // Other programs, such as pm2, also start processes by a cluster.
  if (self === undefined || name === "") return null;
  const [service, number] = [name.split("/")[0], Number(name.split("/")[1])];
  const send = (message: ToParent) => void self.send(message);
  let ports: ReadonlyMap<number, number> = new Map();
  let usePorts: (ports: Iterable<number>) => void = () => {};
  let report: Effect.Effect<string> = Effect.succeed("");
  const scrapes = new Map<number, (from: number, text: string) => void>();
  let scrapeId = 0;

  const handle = (message: ToWorker) => {
    switch (message.kind) {
      case "shutdown":
        return Effect.sync(NodeProcess.shutDown);
      case "ports":
        return Effect.sync(() => {
          ports = new Map(message.ports);
          usePorts(ports.values());
        });
      case "scrape":
        return Effect.map(report, (text) =>
          send({ kind: "report", to: message.from, id: message.id, text }),
        );
      case "report":
        return Effect.sync(() => scrapes.get(message.id)?.(message.from, message.text));
    }
  };
  const messages = yield* Queue.unbounded<ToWorker>();
  self.on("message", (message: ToWorker) => Queue.offerUnsafe(messages, message));
  yield* Queue.take(messages).pipe(Effect.flatMap(handle), Effect.forever, Effect.forkScoped);

  const scrape = Effect.gen(function* () {
    const id = ++scrapeId;
    const texts = new Map<number, string>();
    const complete = Deferred.makeUnsafe<void>();
    scrapes.set(id, (from, text) => {
      texts.set(from, text);
      if (texts.size === ports.size) Deferred.doneUnsafe(complete, Exit.void);
    });
    send({ kind: "scrape", id });
    yield* Effect.timeoutOption(Deferred.await(complete), patience);
    scrapes.delete(id);
    return Reports.merge(texts);
  });

  return Worker.of({
    number,
    // Numbers of the cluster count every start.
    isFirst: self.id === 1,
    url: `worker:${name}`,
    addressOf: (url) => {
      if (!url.startsWith("worker:")) return url;
      const [, of, other] = /^worker:(.*)\/(\d+)$/.exec(url) ?? [];
      const port = of === service ? ports.get(Number(other)) : undefined;
      return port === undefined ? null : `http://127.0.0.1:${port}`;
    },
    onPorts: (use) => {
      usePorts = use;
      use(ports.values());
    },
    ready: (port) => send({ kind: "ready", port }),
    withOthers: (own) => {
      report = own;
      return scrape;
    },
  });
});

export const layer = Layer.effect(Worker, make);
