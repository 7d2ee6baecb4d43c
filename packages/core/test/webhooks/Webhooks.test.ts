import { assert, describe } from "@effect/vitest";
import { AuditLog, EventStore, type Principal, Rotation, WebhookStore } from "@quartermaster/core";
import { Callers, TestCore } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { checkWith } from "../support/McpWorld.ts";
import * as TestStorage from "../support/Storage.ts";
import {
  check,
  deliver,
  deliveries,
  hook,
  hooks,
  issue,
  kinds,
  script,
  secretUrl,
} from "../support/WebhookWorld.ts";

/** The invalid values of a refused request. */
const problemOf = <A, R>(call: Effect.Effect<A, { readonly message: string }, R>) =>
  Effect.map(Effect.flip(call), ({ message }) => message);

const create = (input: object) => problemOf(hook(input));

/** The error's tag. */
const tagOf = <A, R>(call: Effect.Effect<A, { readonly _tag: string }, R>) =>
  Effect.map(Effect.flip(call), ({ _tag }) => _tag);

const storedEvents = Effect.gen(function* () {
  const events = yield* EventStore.EventStore;
  const range = { after: 0, until: yield* events.lastSeq, limit: 100 };
  const rows = yield* events.list({ projects: null, kinds: null }, range);
  return rows.map(({ data, kind }) => ({ kind, data }));
});

describe("Webhooks", () => {
  check(
    "[webhooks.create] a creation returns the secret once, and hides what may be secret in the URL",
    Effect.gen(function* () {
      const { secret, ...webhook } = yield* hook({ kinds: ["issue.*", "issue.*", "attention"] });
      assert.match(secret ?? "", /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.deepInclude(webhook, {
        url: "https://hooks.example.com/services/…?…",
        kinds: ["issue.*", "attention"],
        projectId: null,
        format: "standard",
        status: "enabled",
        statusReason: null,
        createdBy: { type: "User", id: "root" },
        lastDelivery: null,
      });
      assert.deepStrictEqual(yield* hooks((service) => service.get(webhook.id)), webhook);
      assert.deepStrictEqual(yield* hooks((service) => service.list), [webhook]);
      const events = yield* storedEvents;
      assert.deepStrictEqual(events, [
        { kind: "webhook.created", data: { name: "Chat", status: "enabled", statusReason: null } },
      ]);
      const stored = yield* WebhookStore.WebhookStore.use((store) => store.secrets(webhook.id));
      assert.deepStrictEqual(
        stored.map(({ name }) => name),
        ["secret", "url"],
      );
      assert.notInclude(JSON.stringify([stored, events]), "s3cr3t");
    }),
  );

  check(
    "[webhooks.url] URLs that cannot be public, that have credentials or a fragment are refused",
    Effect.gen(function* () {
      const refused: ReadonlyArray<readonly [string, RegExp]> = [
        ["nonsense", /must be an https URL/],
        ["ftp://example.com/", /must be an https URL/],
        ["http://example.com/", /also allows http/],
        ["https://user@example.com/", /user name/],
        ["https://:pass@example.com/", /user name/],
        ["https://example.com/#a", /fragment/],
        ["https://example.com/#", /fragment/],
        ["https://127.0.0.1/", /on this machine/],
        ["https://2130706433/", /on this machine/],
        ["https://0x7f.1/", /on this machine/],
        ["https://localhost/", /on this machine/],
        ["https://a.localhost/", /on this machine/],
        ["https://[::1]/", /on this machine/],
        ["https://0.0.0.0/", /on this machine/],
        ["https://10.0.0.1/", /private network/],
        ["https://169.254.169.254/latest", /private network/],
        ["https://168.63.129.16/", /private network/],
        ["https://192.88.99.1/", /private network/],
        ["https://224.0.0.1/", /private network/],
        ["https://[fd00:ec2::254]/", /private network/],
        ["https://[fe80::1]/", /private network/],
        ["https://[::ffff:8.8.8.8]/", /contains an IPv4 address/],
        ["https://[64:ff9b::808:808]/", /contains an IPv4 address/],
        ["https://[2002:808:808::1]/", /contains an IPv4 address/],
        ["https://[2001:0:808:808::1]/", /contains an IPv4 address/],
      ];
      for (const [url, message] of refused) assert.match(yield* create({ url }), message, url);
      assert.match(yield* create({ url: `https://e.com/${"x".repeat(2_048)}` }), /2048/);
      const { id } = yield* hook();
      const update = hooks((service) => service.update(id, { url: "https://[::ffff:7f00:1]/" }));
      assert.match(yield* problemOf(update), /contains an IPv4 address/);
    }),
  );

  check(
    "[webhooks.kinds] kinds that do not exist, are not sent or belong to no project are refused",
    Effect.gen(function* () {
      assert.match(yield* create({ kinds: [] }), /at least one kind/);
      assert.match(yield* create({ kinds: ["issue.none"] }), /kinds\.0: is not a kind/);
      assert.match(yield* create({ kinds: ["webhook.test"] }), /is not a kind/);
      assert.match(yield* create({ kinds: ["run.logged"] }), /is not sent/);
      assert.match(
        yield* create({ kinds: Array.from({ length: 101 }, () => "issue.*") }),
        /at most 100/,
      );
      for (const kind of ["mcp.*", "agent.deleted", "key.*", "webhook.*"]) {
        assert.match(yield* create({ kinds: [kind], projectId: "shop" }), /no project/);
      }
      yield* hook({ kinds: ["attention", "run.*", "issue.*", "project.*"], projectId: "unseen" });
      const { id } = yield* hook({ kinds: ["mcp.*"] });
      const update = hooks((service) => service.update(id, { projectId: "shop" }));
      assert.match(yield* problemOf(update), /no project/);
    }),
  );

  check(
    "[webhooks.secret] a secret of the caller has 24 to 64 bytes in the form of Standard Webhooks",
    Effect.gen(function* () {
      const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString("base64")}`;
      for (const secret of ["", "s3cr3t", "whsec_", "whsec_!", secretOf(23), secretOf(65)]) {
        assert.match(yield* create({ secret }), /24 to 64 bytes/);
      }
      for (const bytes of [24, 64]) {
        assert.strictEqual((yield* hook({ secret: secretOf(bytes) })).secret, secretOf(bytes));
      }
    }),
  );

  check(
    "[webhooks.access] only an Admin that is bound to no project manages webhooks",
    Effect.gen(function* () {
      const { id } = yield* hook();
      const callers: ReadonlyArray<Principal.Principal> = [
        Callers.user("eve", { role: "Editor" }),
        Callers.user("eve", { role: "Admin", projects: ["shop"] }),
      ];
      for (const caller of callers) {
        const calls = yield* hooks((service) =>
          Effect.succeed({
            list: service.list,
            get: service.get(id),
            create: service.create({ url: secretUrl, name: "x", kinds: ["issue.*"] }),
            update: service.update(id, { name: "x" }),
            remove: service.remove(id),
            rotate: service.rotate(id, {}),
            test: service.test(id),
            deliveries: service.deliveries(id),
            retry: service.retry(id, "dlv_none"),
            replay: service.replay(id, { after: "evt_none" }),
          }),
        );
        for (const [name, call] of Object.entries<
          Effect.Effect<unknown, { readonly _tag: string }, Principal.CurrentPrincipal>
        >(calls)) {
          assert.strictEqual(yield* tagOf(call).pipe(Callers.as(caller)), "Forbidden", name);
        }
      }
    }),
  );

  check(
    "[webhooks.update] a change replaces the given fields, and the shown URL changes nothing",
    Effect.gen(function* () {
      const { id, url } = yield* hook();
      const changed = yield* hooks((service) =>
        service.update(id, {
          url,
          name: "Build",
          kinds: ["run.*"],
          projectId: "shop",
          format: "text",
        }),
      );
      assert.deepInclude(changed, { url, name: "Build", kinds: ["run.*"], projectId: "shop" });
      yield* hooks((service) => service.test(id));
      yield* hooks((service) => service.update(id, { url: "https://other.example.com/x/y" }));
      yield* hooks((service) => service.test(id));
      const { received } = yield* script;
      assert.deepStrictEqual(
        received.map((request) => request.url),
        [secretUrl, "https://other.example.com/x/y"],
      );
      assert.strictEqual(yield* tagOf(hooks((service) => service.get("whk_none"))), "NotFound");
    }),
  );

  check(
    "[webhooks.limit] there are at most 50 webhooks",
    Effect.gen(function* () {
      yield* Effect.repeat(hook(), { times: 49 });
      assert.strictEqual(yield* tagOf(hook()), "LimitExceeded");
    }),
  );

  check(
    "[webhooks.delete] a deletion removes the secrets and the deliveries",
    Effect.gen(function* () {
      const { id } = yield* hook();
      yield* issue();
      yield* deliver;
      const [delivery] = yield* deliveries(id);
      yield* hooks((service) => service.remove(id));
      const store = yield* WebhookStore.WebhookStore;
      assert.deepStrictEqual(yield* store.secrets(id), []);
      assert.strictEqual((yield* store.delivery(delivery?.id ?? ""))._tag, "None");
      assert.strictEqual(yield* tagOf(deliveries(id)), "NotFound");
      assert.strictEqual(yield* tagOf(hooks((service) => service.remove(id))), "NotFound");
    }),
  );

  check(
    "[webhooks.rotate] both secrets sign for 24 hours, in which no other rotation is possible",
    Effect.gen(function* () {
      const { id, secret } = yield* hook();
      const rotated = yield* hooks((service) => service.rotate(id, {}));
      assert.notStrictEqual(rotated.secret, secret);
      assert.strictEqual(yield* tagOf(hooks((service) => service.rotate(id, {}))), "RotationOpen");
      const signatures = Effect.gen(function* () {
        yield* hooks((service) => service.test(id));
        const header = (yield* script).received.at(-1)?.headers["webhook-signature"] ?? "";
        return header.split(" ").length;
      });
      yield* TestClock.adjust("23 hours");
      assert.strictEqual(yield* signatures, 2);
      yield* TestClock.adjust("1 hour");
      assert.strictEqual(yield* signatures, 1);
      yield* hooks((service) => service.rotate(id, {}));
      assert.strictEqual(yield* signatures, 2);
    }),
  );

  checkWith(
    "[webhooks.sealed] a rotation of the master key seals URLs and secrets again",
    Effect.gen(function* () {
      const context = yield* Layer.build(TestStorage.storage);
      const storage = Layer.succeedContext(context);
      const nodeOf = (...keys: readonly [number, ...ReadonlyArray<number>]) =>
        TestCore.layerMcpWith({
          storage,
          keys: [TestCore.masterKey(keys[0]), ...keys.slice(1).map(TestCore.masterKey)],
        });
      const { id } = yield* Effect.provide(hook(), nodeOf(1));
      const rotation = Rotation.Rotation.use(({ rotate }) => rotate);
      const done = yield* Effect.provide(rotation, nodeOf(2, 1));
      assert.deepStrictEqual(done, { rotated: 2, failed: [] });
      yield* Effect.gen(function* () {
        yield* hooks((service) => service.test(id));
        assert.strictEqual((yield* script).received.at(0)?.url, secretUrl);
      }).pipe(Effect.provide(nodeOf(2)));
      const failed = yield* Effect.provide(rotation, nodeOf(3));
      assert.deepStrictEqual(failed, { rotated: 0, failed: [id] });
      const delivery = yield* Effect.provide(
        hooks((service) => service.test(id)),
        nodeOf(3),
      );
      assert.match(delivery.lastError ?? "", /cannot be decrypted/);
    }),
  );

  check(
    "[webhooks.test] a test sends webhook.test once, now, and returns its delivery",
    Effect.gen(function* () {
      const { id } = yield* hook({ kinds: ["project.*"] });
      const delivered = yield* hooks((service) => service.test(id));
      assert.deepInclude(delivered, { kind: "webhook.test", status: "delivered", attempts: 1 });
      (yield* script).respond = () => Effect.succeed({ status: 500, text: "No" });
      const failed = yield* hooks((service) => service.test(id));
      assert.deepInclude(failed, { status: "failed", lastStatus: 500, lastResponse: "No" });
      assert.deepStrictEqual(yield* deliveries(id), [failed, delivered]);
      yield* deliver;
      assert.deepStrictEqual(yield* kinds, ["webhook.test", "webhook.test"]);
    }),
  );

  check(
    "[webhooks.audit] the audit log has who changed a webhook, and never its URL or secret",
    Effect.gen(function* () {
      const { id } = yield* hook();
      const url = "https://hooks.example.com/services/T0/B0/0ther?token=abc";
      yield* hooks((service) => service.update(id, { url, name: "Build", kinds: ["issue.*"] }));
      yield* hooks((service) => service.rotate(id, {}));
      yield* hooks((service) => service.remove(id));
      const { items } = yield* AuditLog.AuditLog.use((audit) => audit.list({ order: "asc" }));
      assert.deepStrictEqual(
        items.map(({ action, changes, subject }) => [action, subject.name, ...changes]),
        [
          ["webhook.created", "Chat"],
          ["webhook.updated", "Build", "url", "name"],
          ["webhook.rotated", "Build"],
          ["webhook.deleted", "Build"],
        ],
      );
      assert.notMatch(JSON.stringify(items), /s3cr3t|0ther|whsec/);
    }),
  );
});
