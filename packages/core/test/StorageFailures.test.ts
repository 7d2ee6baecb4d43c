import { assert, it } from "@effect/vitest";
import {
  Agents,
  AgentStore,
  Errors,
  EventStore,
  IssueStore,
  type Principal,
} from "@quartermaster/core";
import { Callers, type Storage, TestCore } from "@quartermaster/testing";
import { type Context, Effect, Layer } from "effect";
import * as TestStorage from "./support/Storage.ts";
import { alice, create, link, type Services } from "./support/World.ts";

const failure = new Errors.StorageError({ reason: "The connection was lost", isRetryable: true });

/** A test over storage with one altered service. */
const checkAltered = <Id extends Storage.Storage, Service extends object, A, E>(
  name: string,
  key: Context.Service<Id, Service>,
  alter: (service: Service) => Partial<Service>,
  body: Effect.Effect<A, E, Services | Principal.CurrentPrincipal>,
) =>
  it.effect(name, () => {
    const storage = TestStorage.altered(key, alter);
    return body.pipe(Callers.as(alice), Effect.provide(TestCore.layerWith({ storage })));
  });

checkAltered(
  "a link whose target cannot be read fails as storage does, and not with a defect",
  IssueStore.IssueStore,
  () => ({ facts: () => Effect.fail(failure) }),
  Effect.gen(function* () {
    const [blocker, issue] = [yield* create(), yield* create()];
    const refused = yield* Effect.flip(link(issue.id, "BlockedBy", blocker.id));
    assert.strictEqual(refused, failure);
  }),
);

checkAltered(
  "an agent that cannot be read back fails as storage does, and not with a defect",
  AgentStore.AgentStore,
  () => ({ get: () => Effect.fail(failure) }),
  Effect.gen(function* () {
    const agents = yield* Agents.Agents;
    const admin = Callers.as(Callers.user("root", { role: "Admin" }));
    assert.strictEqual(yield* Effect.flip(admin(agents.put("bot"))), failure);
  }),
);

it.effect("services whose events cannot be read do not start, without a defect", () =>
  Effect.gen(function* () {
    const storage = TestStorage.altered(EventStore.EventStore, () => ({
      lastSeq: Effect.fail(failure),
    }));
    const start = Effect.scoped(Layer.build(TestCore.layerMcpWith({ storage })));
    assert.strictEqual(yield* Effect.flip(start), failure);
  }),
);
