import { Context, Effect, Layer, type Scope } from "effect";
import { HttpOptions } from "../HttpOptions.ts";

/** Open event streams on this node, by key. */
export class OpenStreams extends Context.Service<
  OpenStreams,
  {
    /**
     * Counts a stream of the key until the scope of its request closes. Returns false without
     * counting if the key already has `HttpOptions.maxStreams` open.
     */
    take(keyId: string): Effect.Effect<boolean, never, Scope.Scope>;
  }
>()("@quartermaster/http/request/OpenStreams") {
  static readonly layer = Layer.effect(
    OpenStreams,
    Effect.gen(function* () {
      const { maxStreams } = yield* HttpOptions;
      const open = new Map<string, number>();

      const take = (keyId: string) => {
        const count = open.get(keyId) ?? 0;
        if (maxStreams > 0 && count >= maxStreams) return false;
        open.set(keyId, count + 1);
        return true;
      };

      const release = (keyId: string) => {
        const count = (open.get(keyId) ?? 0) - 1;
        if (count > 0) open.set(keyId, count);
        else open.delete(keyId);
      };

      return OpenStreams.of({
        take: (keyId) =>
          Effect.acquireRelease(
            Effect.sync(() => take(keyId)),
            (isTaken) => Effect.sync(() => isTaken && release(keyId)),
          ),
      });
    }),
  );
}
