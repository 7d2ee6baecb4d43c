import { inspect } from "node:util";
import { assert, describe, it } from "@effect/vitest";
import { Errors } from "@quartermaster/core";

const refusals: ReadonlyArray<Error> = [
  Errors.InvalidRequest.at("title", "Missing key."),
  new Errors.ConfirmationRequired(),
  new Errors.Unauthenticated(),
  new Errors.Forbidden({ requiredRole: null }),
  new Errors.Forbidden({ requiredRole: "Admin" }),
  new Errors.NotFound({ resource: "issue", id: "iss_1" }),
  new Errors.NotFound({ resource: "route", id: null }),
  new Errors.OpenDependents({ dependents: ["iss_1"] }),
  new Errors.Blocked({ blockers: [] }),
  new Errors.Blocked({ blockers: ["iss_1"] }),
  new Errors.DependencyCycle({ cycle: ["iss_1", "iss_2", "iss_1"] }),
  new Errors.LinkExists({ linkId: "lnk_1" }),
  new Errors.ExternalRefTaken({ issueId: "iss_1" }),
  new Errors.NotExecuting({ issueStatus: "Open" }),
  new Errors.NotPaused({ issueStatus: "Open" }),
  new Errors.RunEnded({ runId: "run_1", reason: "paused" }),
  new Errors.LastOwnerKey(),
  new Errors.PreconditionFailed({ version: 2, names: null }),
  new Errors.PreconditionFailed({ version: null, names: ["add"] }),
  new Errors.UnknownReference({ field: "goalId", id: "g" }),
  new Errors.SelfLink(),
  new Errors.LimitExceeded({ limit: 10 }),
  new Errors.PayloadTooLarge({ limitBytes: 10 }),
  new Errors.IdempotencyMismatch(),
  new Errors.NameTaken({ serverName: "files" }),
  new Errors.MissingEnv({ missing: ["KEY"] }),
  new Errors.UnknownEnv({ unknown: ["KEY"] }),
  new Errors.ForbiddenPath({ variable: "ROOT" }),
  new Errors.RuntimeMissing({ runtime: "pipx" }),
  new Errors.VerificationFailed({
    verification: { status: "error", details: "No.", tokens: null },
  }),
];

describe("Errors", () => {
  it("[errors.print] an error prints its stack, its message and its fields", () => {
    for (const error of refusals) {
      assert.strictEqual(error.name, String(Reflect.get(error, "_tag")));
      const printed = inspect(error);
      assert.include(printed, `${error.name}: ${error.message}`);
      assert.include(printed, "Errors.test.ts");
    }
    assert.include(inspect(new Errors.NotFound({ resource: "issue", id: "iss_1" })), "id: 'iss_1'");
  });

  it("[errors.message] every error describes what happened and what to do, in sentences", () => {
    for (const error of refusals) assert.match(error.message, /^[A-Za-z].*\.$/, String(error));
    assert.strictEqual(
      String(new Errors.Blocked({ blockers: ["iss_1", "iss_2", "iss_3", "iss_4"] })),
      "Blocked: Open issues block this issue: iss_1, iss_2, iss_3. Resolve them first, or remove their links.",
    );
  });
});
