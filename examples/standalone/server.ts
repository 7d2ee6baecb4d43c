import { Deferred, Effect, FileSystem, Path, Redacted, Schema, Stream } from "effect";
import { ChildProcess } from "effect/process";

class NotListening extends Schema.TaggedError<NotListening>()("NotListening", {}) {
  override get message() {
    return "The server ended before it listened; run `npx quartermaster serve` to see why.";
  }
}

/** A server on a free port with an empty data directory. It stops with the scope. */
export const start = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem;
  const path = yield* Path.Path;
  const dataDir = yield* fs.makeTempDirectoryScoped();
  const server = yield* ChildProcess.make("quartermaster", ["serve"], {
    env: { QM_PORT: "0", QM_DATA_DIR: dataDir, QM_LOG: "json" },
    extendEnv: true,
    forceKillAfter: "15 seconds",
  });
  const listening = yield* Deferred.make<string, NotListening>();
  // Reads the whole output: a full pipe would block the server.
  yield* server.all.pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.runForEach((line) => {
      const [url] = line.match(/http:\/\/127\.0\.0\.1:\d+/) ?? [];
      return url === undefined ? Effect.void : Deferred.succeed(listening, url);
    }),
    Effect.ensuring(Deferred.fail(listening, new NotListening())),
    Effect.forkScoped,
  );
  const url = yield* Deferred.await(listening);
  const key = yield* fs.readFileString(path.join(dataDir, "owner-key"));
  return { url, key: Redacted.make(key) };
});
