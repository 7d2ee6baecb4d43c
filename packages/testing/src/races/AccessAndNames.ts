import { assert } from "@effect/vitest";
import {
  AgentStore,
  Idempotency,
  Issues,
  Keys,
  KeyStore,
  Links,
  McpServerStore,
  Sessions,
} from "@quartermaster/core";
import { Effect, Option, type Redacted, Result } from "effect";
import * as Fixtures from "../Fixtures.ts";
import * as Callers from "../model/Callers.ts";
import { everything } from "../Suite.ts";
import { create, type Race, transact } from "./World.ts";

/** Races over keys, sessions, secrets and unique names. */

const owner = Callers.as(Callers.user("root", { role: "Owner" }));

const roles = ["Viewer", "Editor", "Admin", "Owner"] as const;

const allKeys = KeyStore.KeyStore.use((store) => store.list(roles, everything));

const newKey = owner(Keys.Keys.use((keys) => keys.create({ name: "A key", role: "Owner" })));

const bootstrap = Effect.gen(function* () {
  const keys = yield* Keys.Keys;
  const saved: Array<Redacted.Redacted<string>> = [];
  const isCreated = yield* keys.bootstrap((key) => Effect.sync(() => void saved.push(key)));
  return isCreated ? saved.slice(-1) : [];
});

export const races: ReadonlyArray<Race> = [
  {
    name: "the last two Owner keys are not both deleted",
    check: Effect.fnUntraced(function* ({ both, run }) {
      const [first = yield* run(newKey)] = yield* run(allKeys);
      const second = yield* run(newKey);
      const remove = (id: string) => owner(Keys.Keys.use((keys) => keys.remove(id)));
      const removed = yield* both(remove(first.id), remove(second.id));
      assert.deepStrictEqual(
        removed.filter(Result.isFailure).map(({ failure }) => failure._tag),
        ["LastOwnerKey"],
      );
      assert.lengthOf(yield* run(allKeys), 1);
    }),
  },
  {
    name: "two bootstraps create one Owner key",
    check: Effect.fnUntraced(function* ({ both, run }) {
      const stored = yield* run(allKeys);
      yield* run(
        transact(
          KeyStore.KeyStore.use((store) =>
            Effect.forEach(stored, ({ id }) => store.remove(id), { discard: true }),
          ),
        ),
      );
      const results = yield* both(bootstrap, bootstrap);
      const keys = results.flatMap((result) => (Result.isSuccess(result) ? result.success : []));
      assert.lengthOf(keys, 1);
      assert.lengthOf(yield* run(allKeys), 1);
      yield* run(
        Keys.Keys.use(({ authenticate }) => Effect.forEach(keys, (key) => authenticate(key))),
      );
    }),
  },
  {
    name: "a token does not outlive its session",
    check: Effect.fnUntraced(function* ({ both, run }) {
      const session = yield* run(
        Effect.gen(function* () {
          const { credential } = yield* Keys.Keys;
          const sessions = yield* Sessions.Sessions;
          const { secret } = yield* sessions.create(yield* credential((yield* newKey).id));
          return yield* sessions.authenticate("cookie", secret);
        }),
      );
      const [token] = yield* both(
        Sessions.Sessions.use((sessions) => sessions.token(session.hash)),
        Sessions.Sessions.use((sessions) => sessions.remove(session)),
      );
      if (Result.isFailure(token)) return;
      const { secret } = token.success;
      const used = yield* run(
        Effect.result(Sessions.Sessions.use(({ authenticate }) => authenticate("token", secret))),
      );
      assert.isTrue(Result.isFailure(used));
    }),
  },
  {
    name: "no secret is sealed under a key that was dropped for want of secrets",
    check: Effect.fnUntraced(function* ({ agentId: dropped, both, run }) {
      const server = yield* run(transact(Fixtures.server()));
      const drop = transact(
        Effect.gen(function* () {
          const servers = yield* McpServerStore.McpServerStore;
          const agents = yield* AgentStore.AgentStore;
          if ((yield* servers.secretsNotUnder("new", null, 1)).length > 0) return false;
          return yield* agents.register(dropped, Fixtures.at(0));
        }),
      );
      const seal = transact(
        Effect.gen(function* () {
          const servers = yield* McpServerStore.McpServerStore;
          const agents = yield* AgentStore.AgentStore;
          if (Option.isSome(yield* agents.get(dropped))) return false;
          yield* servers.putSecrets([Fixtures.secretRow(server.id, "TOKEN", { keyId: "old" })]);
          return true;
        }),
      );
      const results = yield* both(drop, seal);
      assert.lengthOf(
        results.filter((result) => Result.isSuccess(result) && result.success),
        1,
      );
      yield* run(transact(McpServerStore.McpServerStore.use((store) => store.remove(server.id))));
    }),
  },
  {
    name: "of two servers of the same name one is installed",
    check: Effect.fnUntraced(function* ({ agentId: name, both, run }) {
      const install = transact(
        Effect.gen(function* () {
          const store = yield* McpServerStore.McpServerStore;
          if (Option.isNone(yield* store.getByName(name))) {
            yield* store.insert(yield* Fixtures.serverRow({ name }));
          }
          return yield* store.getByName(name);
        }),
      );
      yield* both(install, install);
      const servers = yield* run(McpServerStore.McpServerStore.use((store) => store.list));
      assert.lengthOf(
        servers.filter((server) => server.name === name),
        1,
      );
    }),
  },
  {
    name: "of two issues with the same externalRef one is created",
    check: Effect.fnUntraced(function* (world) {
      const creation = create(world, { externalRef: "GH-1" });
      const created = yield* world.both(creation, creation);
      assert.deepStrictEqual(
        created.filter(Result.isFailure).map(({ failure }) => failure._tag),
        ["ExternalRefTaken"],
      );
    }),
  },
  {
    name: "two requests with the same idempotency key create one issue",
    check: Effect.fnUntraced(function* (world) {
      const request = { keyId: "key", idempotencyKey: world.projectId, content: "An issue" };
      const creation = Effect.provideService(create(world), Idempotency.CurrentRequest, request);
      const results = yield* world.both(creation, creation);
      const ids = results.flatMap((result) =>
        Result.isSuccess(result) ? [result.success.id] : [],
      );
      assert.lengthOf(ids, 2);
      const { items } = yield* world.run(
        Issues.Issues.use((issues) => issues.list(world.projectId)),
      );
      assert.sameMembers([...ids], [items[0]?.id, items[0]?.id]);
      assert.lengthOf(items, 1);
    }),
  },
  {
    name: "the same link from both ends is created once",
    check: Effect.fnUntraced(function* (world) {
      const { run } = world;
      const [a, b] = yield* run(Effect.all([create(world), create(world)]));
      const link = (id: string, targetIssueId: string) =>
        Links.Links.use((links) => links.create(id, { linkType: "RelatedTo", targetIssueId }));
      const created = yield* world.both(link(a.id, b.id), link(b.id, a.id));
      assert.deepStrictEqual(
        created.filter(Result.isFailure).map(({ failure }) => failure._tag),
        ["LinkExists"],
      );
      const { items } = yield* run(Links.Links.use((links) => links.list(a.id)));
      assert.lengthOf(items, 1);
    }),
  },
];
