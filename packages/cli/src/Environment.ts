import { Config, Effect } from "effect";

/** An environment variable without surrounding space; null if it is unset or empty. */
export const variable = (name: string) =>
  Config.String(name).pipe(
    Config.withDefault(""),
    Effect.orDie,
    Effect.map((value) => (value.trim() === "" ? null : value.trim())),
  );
