import { assert, it } from "@effect/vitest";
import { Errors } from "@quartermaster/core";
import { Effect, Redacted } from "effect";
import * as DatabaseFailure from "../src/config/DatabaseFailure.ts";

const database = {
  url: Redacted.make("postgres://quartermaster@db.example/main"),
  directUrl: undefined,
  schema: "quartermaster",
  pool: 10,
  prepare: true,
  caFile: undefined,
  migrate: "auto",
} as const;

const refusalOf = (reason: string) =>
  Effect.flip(
    DatabaseFailure.advised(
      database,
      Effect.fail(new Errors.StorageError({ reason, isRetryable: false, cause: null })),
    ),
  );

it.effect("only a refusal by PostgreSQL itself names QM_DATABASE_URL", () =>
  Effect.gen(function* () {
    const own = yield* refusalOf('database "main" does not exist (3D000)');
    assert.deepInclude(own, {
      kind: "refused",
      message:
        'database "main" does not exist (3D000). Correct QM_DATABASE_URL, or run `quartermaster doctor`.',
    });
    const disk = yield* refusalOf("The disk is full");
    assert.deepInclude(disk, { kind: "refused", message: "The disk is full." });
    assert.strictEqual((yield* refusalOf("The database cannot be reached")).kind, "unreachable");
  }),
);
