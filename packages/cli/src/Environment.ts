import { Config, Effect } from "effect";

/** A variable of the environment without surrounding space; null if it is not set or empty. */
export const variable = (name: string) =>
  Config.String(name).pipe(
    Config.withDefault(""),
    Effect.orDie,
    Effect.map((value) => (value.trim() === "" ? null : value.trim())),
  );
