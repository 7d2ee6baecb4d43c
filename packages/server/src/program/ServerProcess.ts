import { Version } from "@quartermaster/cli";
import { Effect, Layer } from "effect";
import * as DatabaseFailure from "../config/DatabaseFailure.ts";
import * as Server from "../Server.ts";
import * as Worker from "../workers/Worker.ts";
import * as LocalPorts from "./LocalPorts.ts";

/** Runs the server in this process, alone or as a worker, until a signal. */
export const run = (version: string) =>
  Server.layer.pipe(
    Layer.provide(LocalPorts.layer),
    Layer.provide(Server.foundation),
    Layer.provide(Layer.succeed(Version.Version, version)),
    Layer.provide(Worker.layer),
    Layer.launch,
    Effect.mapError(DatabaseFailure.ofStart),
    Effect.asVoid,
  );
