import { PgClient, type PgConnection } from "@effect/sql-pg";
import { Context, Effect, Fiber, type Scope, Stream } from "effect";
import { SqlClient, type SqlConnection, SqlError } from "effect/sql";
import { HeldWrites } from "./HeldWrites.ts";

/**
 * Connections for statements one after the other, and for transactions, whose statements share round
 * trips. The driver's own client has only the former.
 */

type Sent<A> = Effect.Effect<A, SqlError.SqlError>;
type Cells = ReadonlyArray<ReadonlyArray<unknown>>;
type Params = ReadonlyArray<unknown>;
type Transform = (<A extends object>(row: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined;

/** COMMIT of a transaction in which a statement has failed rolls back, and its tag is all that shows it. */
const checkCommitted = ({ command }: PgConnection.Result): Sent<void> =>
  command === "ROLLBACK"
    ? Effect.fail(
        new SqlError.SqlError({
          reason: new SqlError.SerializationError({
            message: "A statement of the change failed, and the change went on",
            cause: { code: "25P02" },
            operation: "commit",
          }),
        }),
      )
    : Effect.void;

/** A connection of the driver as one of Effect. */
class Plain implements SqlConnection.Connection {
  readonly connection: PgConnection.PgConnection;

  constructor(connection: PgConnection.PgConnection) {
    this.connection = connection;
  }

  protected query(text: string, params: Params, prepare?: boolean): Sent<PgConnection.Result> {
    return this.connection.query(text, params, prepare);
  }

  protected values(text: string, params: Params, prepare?: boolean): Sent<Cells> {
    return this.connection.queryValues(text, params, prepare);
  }

  execute(text: string, params: Params, transform: Transform, prepare?: boolean) {
    const rows = Effect.map(this.query(text, params, prepare), (result) => result.rows);
    return transform === undefined ? rows : Effect.map(rows, transform);
  }

  executeUnprepared(text: string, params: Params, transform: Transform) {
    return this.execute(text, params, transform, false);
  }

  executeRaw(text: string, params: Params): Sent<PgConnection.Result> {
    return this.query(text, params);
  }

  executeValues(text: string, params: Params): Sent<Cells> {
    return this.values(text, params);
  }

  executeValuesUnprepared(text: string, params: Params): Sent<Cells> {
    return this.values(text, params, false);
  }

  commit(): Sent<void> {
    return Effect.flatMap(this.query("COMMIT", []), checkCommitted);
  }

  executeStream(text: string, params: Params, transform: Transform) {
    const rows = this.connection.stream(text, params);
    return transform === undefined
      ? rows
      : Stream.mapArray(rows, (some) => transform(some) as never);
  }
}

/**
 * The connection of one transaction. Its statements share round trips:
 *
 * - BEGIN is sent with the first statement. A write waits until BEGIN has succeeded: without it the
 *   write would be a transaction of its own.
 * - `post` sends a statement whose rows are not needed, and does not wait for the response. Writes of `HeldWrites` that
 *   follow each other are one statement, which the next other statement sends.
 *
 * PostgreSQL refuses every statement after one that failed. So the failure of a posted statement fails the
 * next statement that is awaited, or the commit.
 */
export class Transaction extends Plain {
  #begin: ReadonlyArray<string> = [];
  #beginning: Fiber.Fiber<void> | undefined;
  #isOpen = false;
  #failure: SqlError.SqlError | undefined;
  readonly #held = new HeldWrites();

  /** The statements that start the transaction. */
  begin(statements: ReadonlyArray<string>): void {
    this.#begin = statements;
  }

  protected override query(text: string, params: Params, prepare?: boolean) {
    return this.#afterHeld(this.#awaited(text, super.query(text, params, prepare)));
  }

  protected override values(text: string, params: Params, prepare?: boolean) {
    return this.#afterHeld(this.#awaited(text, super.values(text, params, prepare)));
  }

  post(text: string, params: Params): Sent<void> {
    return Effect.suspend(() => {
      const held = this.#isOpen ? this.#held.hold(text, params) : "no";
      if (held === "held") return Effect.void;
      return Effect.andThen(
        this.#sendHeld(),
        held === "afterOthers"
          ? Effect.sync(() => void this.#held.hold(text, params))
          : Effect.suspend(() => this.#posted(text, params)),
      );
    });
  }

  override executeStream(text: string, params: Params, transform: Transform) {
    return Stream.unwrap(
      Effect.as(
        Effect.suspend(() => this.#sendHeld()),
        super.executeStream(text, params, transform),
      ),
    );
  }

  override commit(): Sent<void> {
    const committed = Effect.suspend(() => {
      if (this.#beginning === undefined) return Effect.void;
      return this.#failure === undefined
        ? super.commit()
        : Effect.andThen(this.rollback(), Effect.fail(this.#failure));
    });
    return this.#afterHeld(committed);
  }

  /** The connection may be gone, and the transaction with it. */
  rollback(): Effect.Effect<void> {
    return Effect.suspend(() =>
      this.#beginning === undefined ? Effect.void : Effect.ignore(super.query("ROLLBACK", [])),
    );
  }

  rollbackTo(savepoint: string): Effect.Effect<void> {
    const undone = Effect.map(super.query(`ROLLBACK TO SAVEPOINT ${savepoint}`, []), () => {
      this.#failure = undefined;
    });
    return Effect.suspend(() => {
      // They follow the savepoint, which sent earlier ones.
      this.#held.take();
      return Effect.ignore(undone);
    });
  }

  #posted(text: string, params: Params): Sent<void> {
    return Effect.asVoid(this.#afterBegin(text, this.#noted(text, params)));
  }

  /** Sends the writes that are held. */
  #sendHeld(): Sent<void> {
    const held = this.#held.take();
    return held === undefined ? Effect.void : this.#posted(held.text, held.params);
  }

  #afterHeld<A>(statement: Sent<A>): Sent<A> {
    return Effect.suspend(() =>
      this.#held.isEmpty ? statement : Effect.andThen(this.#sendHeld(), statement),
    );
  }

  /** Sends a statement in the background, and notes its failure. */
  #noted(text: string, params: Params): Effect.Effect<Fiber.Fiber<void>> {
    return super.values(text, params).pipe(
      Effect.match({
        onFailure: (error) => {
          this.#failure ??= error;
        },
        onSuccess: () => {},
      }),
      Effect.forkDetach({ startImmediately: true, uninterruptible: true }),
    );
  }

  /** Sends BEGIN, unless it was sent. */
  #begun(): Effect.Effect<void> {
    if (this.#beginning !== undefined) return Effect.void;
    const [begin = "BEGIN", ...others] = this.#begin;
    return Effect.flatMap(this.#noted(begin, []), (beginning) => {
      this.#beginning = beginning;
      return Effect.forEach(others, (other) => this.#noted(other, []), { discard: true });
    });
  }

  #whenOpen(): Sent<void> {
    const beginning = this.#beginning;
    if (beginning === undefined) return Effect.void;
    return Effect.flatMap(Fiber.await(beginning), () => {
      if (this.#failure !== undefined) return Effect.fail(this.#failure);
      this.#isOpen = true;
      return Effect.void;
    });
  }

  #afterBegin<A>(text: string, statement: Sent<A>): Sent<A> {
    if (this.#isOpen) return statement;
    return Effect.suspend(() => {
      const begun = this.#begun();
      return /^\s*SELECT\b/u.test(text)
        ? Effect.andThen(begun, statement)
        : Effect.andThen(
            begun,
            Effect.andThen(
              Effect.suspend(() => this.#whenOpen()),
              statement,
            ),
          );
    });
  }

  #awaited<A>(text: string, statement: Sent<A>): Sent<A> {
    return Effect.matchEffect(this.#afterBegin(text, statement), {
      onFailure: (error) => Effect.fail(this.#failure ?? error),
      onSuccess: (result) => {
        if (this.#failure !== undefined) return Effect.fail(this.#failure);
        this.#isOpen = true;
        return Effect.succeed(result);
      },
    });
  }
}

/** The connections of a pool, each lent to one fiber at a time. */
export class Connections extends Context.Service<
  Connections,
  {
    readonly transaction: Lent<Transaction>;
    /** Listens to a channel with a connection of its own. */
    readonly listen: PgConnection.PgConnection["listen"];
  }
>()("@quartermaster/storage-postgres/Connections") {}

type Lent<A> = Effect.Effect<A, SqlError.SqlError, Scope.Scope>;

const attributes: ReadonlyArray<readonly [string, unknown]> = [["db.system.name", "postgresql"]];

/** The client and the connections of a pool. `listening` is a connection that listens. */
export const make = (
  get: Lent<PgConnection.PgConnection>,
  listening: Lent<PgConnection.PgConnection>,
) => {
  // A pinned connection cancels the statement of a fiber that is interrupted.
  const reserve = Effect.map(
    Effect.flatMap(get, (connection) => connection.pin),
    (connection) => new Plain(connection),
  );
  return Effect.map(
    SqlClient.make({
      acquirer: reserve,
      compiler: PgClient.makeCompiler(),
      driver: "pg",
      spanAttributes: attributes,
      commit: (connection) => (connection as Plain).commit(),
      releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    }),
    (client) => ({
      client,
      /**
       * Connections for lookups by a key. They are not pinned, which takes the node an eighth of a get by id. So a lookup is
       * not cancelled: an interruption waits for its end.
       */
      lookups: Effect.map(get, (connection) => new Plain(connection)),
      connections: Connections.of({
        transaction: Effect.map(get, (connection) => new Transaction(connection)),
        listen: (channel) => Effect.flatMap(listening, (connection) => connection.listen(channel)),
      }),
    }),
  );
};
