import type { NetConnectOpts } from "node:net";
import type { Duplex } from "node:stream";
import { PgConnection } from "@effect/sql-pg";
import { StorageErrors } from "@quartermaster/storage-sql";
import { Context, Effect, Latch, Redacted, type Scope } from "effect";
import type { SqlError } from "effect/sql";
import { pause } from "./Pause.ts";
import { WatchedSocket } from "./WatchedSocket.ts";

/**
 * Whether the database can be reached.
 *
 * - reachable: connections are opened. After a connection that fails, is silent or refuses a write, one
 *   probe opens another.
 * - out of reach: the probe has failed, or found a standby. New connections fail immediately, so that
 *   requests do not wait one after the other for the same time limit. A probe every 250 ms ends it.
 */
export class Reachability extends Context.Service<
  Reachability,
  {
    /**
     * Closes all connections after a write that the database refused as read-only (25006). They lead
     * to a standby, whose reads are behind, and would stay when its name leads to the primary again.
     */
    readonly leave: Effect.Effect<void>;
  }
>()("@quartermaster/storage-postgres/Reachability") {}

const lookMillis = 500;
/** The time that the database may take to respond: longer than the time limits that roles should have. */
const silentMillis = 6_000;
const probeMillis = 2_000;
const probeEveryMillis = 250;

const unreachable = "The database cannot be reached";
const readOnly = "The database is read-only";
const silence = `The database did not respond for ${silentMillis / 1_000} seconds`;

/** The target of the driver, and whether it uses TLS. A field has precedence over the URL. */
const targetOf = (config: PgConnection.Config): [target: NetConnectOpts, isEncrypted: boolean] => {
  const url = config.url === undefined ? undefined : new URL(Redacted.value(config.url));
  const named = url?.searchParams.get("host") ?? decodeURIComponent(url?.hostname ?? "");
  const host = config.host ?? (named.replaceAll(/^\[|\]$/gu, "") || "localhost");
  const port = config.port ?? (Number(url?.port ?? "") || 5432);
  const path = config.path ?? (host.startsWith("/") ? `${host}/.s.PGSQL.${port}` : undefined);
  const mode = url?.searchParams.get("sslmode") ?? "disable";
  return [
    path === undefined
      ? { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 }
      : { path },
    config.ssl === undefined ? mode !== "disable" : config.ssl !== false,
  ];
};

/** An error of the server, such as "starting up", shows that it can be reached. */
const problemOf = (error: SqlError.SqlError): string | undefined =>
  StorageErrors.stateOf(error) !== "" || error.reason._tag === "AuthenticationError"
    ? undefined
    : unreachable;

/** The reason that a new connection cannot be used; undefined if it can. */
const tryOut = (config: PgConnection.Config): Effect.Effect<string | undefined> =>
  PgConnection.make(config).pipe(
    Effect.flatMap((connection) => connection.queryValues("SHOW transaction_read_only", [], false)),
    Effect.scoped,
    Effect.match({
      onFailure: problemOf,
      onSuccess: ([row]) => (row?.[0] === "on" ? readOnly : undefined),
    }),
  );

/** Watches the connections of a pool, which the driver opens with `open`. */
export const make = (
  config: PgConnection.Config,
): Effect.Effect<
  { readonly open: () => Duplex; readonly reachability: Reachability["Service"] },
  never,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const [target, isEncrypted] = targetOf(config);
    const sockets = new Set<WatchedSocket>();
    const suspicion = Latch.makeUnsafe();
    let gone: string | undefined;

    const look = () => {
      const late = silentMillis / lookMillis;
      for (const socket of sockets) socket.quietLooks++;
      const isSilent = (socket: WatchedSocket) => socket.quietLooks > late;
      if (![...sockets].some((socket) => socket.isWaiting && isSilent(socket))) return;
      suspicion.openUnsafe();
      // Idle connections that were quiet for as long may be lost in the same way.
      for (const socket of sockets) if (isSilent(socket)) socket.fail(silence);
    };
    yield* Effect.acquireRelease(
      // oxlint-disable-next-line no-restricted-globals -- sockets do not follow a test's clock
      Effect.sync(() => setInterval(look, lookMillis).unref()),
      (timer) => Effect.sync(() => clearInterval(timer)),
    );

    const open = () => {
      const socket = new WatchedSocket(target, isEncrypted);
      const stream = socket.stream();
      stream.once("error", () => suspicion.openUnsafe());
      sockets.add(socket);
      socket.onClose(() => sockets.delete(socket));
      return stream;
    };

    const closeAll = () => {
      for (const socket of sockets) socket.fail(readOnly);
    };

    const probe = Effect.raceFirst(
      tryOut({ ...config, stream: open }),
      Effect.as(pause(probeMillis), unreachable),
    );
    const follow = Effect.gen(function* () {
      yield* suspicion.await;
      for (let problem = yield* probe; problem !== undefined; problem = yield* probe) {
        if (problem !== gone) yield* Effect.logWarning(problem);
        gone = problem;
        if (problem === readOnly) closeAll();
        yield* pause(probeEveryMillis);
      }
      if (gone !== undefined) yield* Effect.logInfo("The database can be reached again");
      gone = undefined;
      suspicion.closeUnsafe();
      // A database that refuses many connections is asked no more often.
      yield* pause(probeEveryMillis);
    });
    yield* Effect.forkScoped(Effect.forever(follow));

    return {
      open: () => {
        if (gone !== undefined) throw new Error("The database is out of reach");
        return open();
      },
      reachability: {
        leave: Effect.sync(() => {
          suspicion.openUnsafe();
          closeAll();
        }),
      },
    };
  });
