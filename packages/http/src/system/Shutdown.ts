import { Context, Deferred, Effect, Layer } from "effect";

/** The server's shutdown, which starts once. */
export class Shutdown extends Context.Service<
  Shutdown,
  {
    readonly begin: Effect.Effect<void>;
    /** Completes when the shutdown starts. */
    readonly begun: Effect.Effect<void>;
    readonly isUnderWay: () => boolean;
  }
>()("@quartermaster/http/system/Shutdown") {
  static readonly layer = Layer.sync(Shutdown, () => {
    const begun = Deferred.makeUnsafe<void>();
    return {
      begin: Effect.asVoid(Deferred.succeed(begun, undefined)),
      begun: Deferred.await(begun),
      isUnderWay: () => Deferred.isDoneUnsafe(begun),
    };
  });
}
