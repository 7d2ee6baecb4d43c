import cluster, { type Worker as Child } from "node:cluster";
import { NodeProcess } from "@quartermaster/cli";
import { Clock, Deferred, Effect, Exit } from "effect";
import { SecureRandom } from "effect/crypto";
import { Hex } from "effect/encoding";
import { StartError } from "../config/StartError.ts";
import * as HandedOver from "./HandedOver.ts";
import type { ToParent, ToWorker } from "./Messages.ts";
import * as Worker from "./Worker.ts";

/**
 * The parent of the workers. It has the socket, and gives each connection to the next worker.
 *
 * A worker:
 *
 * - starting: the first one before the others, since it migrates the storage and prints the welcome.
 * - ready: it serves requests, and the others know the port of its own listener.
 * - exited: it starts again after a pause, until the parent shuts down. If the first one exits before it is
 *   ready, the program ends.
 *
 * Workers exit when the channel to their parent closes, so none survives it.
 */

/** Milliseconds before a worker starts again. Each exit within `stable` doubles the pause. */
const shortestPause = 500;
const longestPause = 30_000;
const stable = 60_000;

/** The pause after a worker that ran for this time, and before that paused for `last`. */
export const pauseAfter = (ran: number, last: number): number =>
  last === 0 || ran >= stable ? shortestPause : Math.min(last * 2, longestPause);

interface Exited {
  readonly code: number | null;
  readonly signal: string | null;
}

const reasonOf = ({ code, signal }: Exited) =>
  signal === null ? `exited with ${code}` : `was ended by ${signal}`;

const send = (child: Child, message: ToWorker) => {
  if (child.isConnected()) child.send(message);
};

/** Runs the workers until the scope closes. Fails if the first one does not start. */
export const run = Effect.fnUntraced(function* (count: number) {
  const random = yield* SecureRandom.SecureRandom;
  const service = Hex.encode(yield* random.randomBytes(8));
  const isTerminal = NodeProcess.isTerminal();
  cluster.setupPrimary({ stdio: ["ignore", isTerminal ? "inherit" : "pipe", "inherit", "ipc"] });
  const children = new Map<number, Child>();
  const ports = new Map<number, number>();
  const firstReady = Deferred.makeUnsafe<void>();

  const broadcast = (message: ToWorker) => {
    for (const child of children.values()) send(child, message);
  };

  const receive = (number: number, message: ToParent) => {
    switch (message.kind) {
      case "ready":
        ports.set(number, message.port);
        Deferred.doneUnsafe(firstReady, Exit.void);
        return broadcast({ kind: "ports", ports: [...ports] });
      case "scrape":
        return broadcast({ kind: "scrape", from: number, id: message.id });
      case "report": {
        const { id, text, to } = message;
        const child = children.get(to);
        if (child !== undefined) send(child, { kind: "report", from: number, id, text });
      }
    }
  };

  const start = (number: number) =>
    Effect.sync(() => {
      const child = cluster.fork({ [Worker.variable]: `${service}/${number}` });
      children.set(number, child);
      child.on("message", (message: ToParent) => receive(number, message));
      // A message to a worker that exits.
      child.on("error", () => {});
      const closeHandedOver = HandedOver.follow(child.process);
      const { stdout } = child.process;
      if (stdout !== null) NodeProcess.relayLines(stdout);
      const exited = Deferred.makeUnsafe<Exited>();
      child.process.once("close", (code, signal) => {
        closeHandedOver();
        children.delete(number);
        ports.delete(number);
        broadcast({ kind: "ports", ports: [...ports] });
        Deferred.doneUnsafe(exited, Exit.succeed({ code, signal }));
      });
      return { child, exited: Deferred.await(exited) };
    });

  /** Runs a worker until it exits. An interruption shuts it down. */
  const once = (number: number) =>
    Effect.acquireUseRelease(
      start(number),
      ({ exited }) => exited,
      ({ child, exited }) => {
        send(child, { kind: "shutdown" });
        return exited;
      },
    );

  const keep = Effect.fnUntraced(function* (number: number) {
    for (let pause = 0; ;) {
      const startedAt = yield* Clock.currentTimeMillis;
      const exited = yield* once(number);
      if (!Deferred.isDoneUnsafe(firstReady)) {
        const message = `Worker ${number} ${reasonOf(exited)} before it served requests.`;
        return yield* new StartError({ message });
      }
      pause = pauseAfter((yield* Clock.currentTimeMillis) - startedAt, pause);
      yield* Effect.logError(
        `Worker ${number} ${reasonOf(exited)}. It starts again in ${pause / 1_000} s`,
      );
      yield* Effect.sleep(pause);
    }
  });

  const others = Array.from({ length: count - 1 }, (_, index) => keep(index + 2));
  yield* Effect.all(
    [
      keep(1),
      Effect.andThen(
        Deferred.await(firstReady),
        Effect.all(others, { concurrency: "unbounded", discard: true }),
      ),
    ],
    { concurrency: "unbounded", discard: true },
  );
});
