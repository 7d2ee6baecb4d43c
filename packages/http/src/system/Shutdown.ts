import { Context, Deferred, Effect, Layer } from "effect";

/** The server's shutdown, which starts once. */
export class Shutdown extends Context.Service<
  Shutdown,
  {
    readonly start: Effect.Effect<void>;
    /** Completes when the shutdown starts. */
    readonly started: Effect.Effect<void>;
    readonly hasStarted: () => boolean;
  }
>()("@quartermaster/http/system/Shutdown") {
  static readonly layer = Layer.sync(Shutdown, () => {
    const started = Deferred.makeUnsafe<void>();
    return {
      start: Effect.asVoid(Deferred.succeed(started, undefined)),
      started: Deferred.await(started),
      hasStarted: () => Deferred.isDoneUnsafe(started),
    };
  });
}
