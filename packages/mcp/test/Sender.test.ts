import { assert, describe, it } from "@effect/vitest";
import { Addresses, WebhookOptions, WebhookSender } from "@quartermaster/core";
import { Effect, Layer, Redacted } from "effect";
import { NetworkOptions, Sender } from "../src/index.ts";
import * as SafeAddress from "../src/webhooks/SafeAddress.ts";
import * as Http from "./support/HttpFixture.ts";

/** A sender in a network in which each name resolves to these addresses, one list after the other. */
const network = ({
  answers = [["127.0.0.1"]],
  local = true,
  ownPorts = [],
  privateHosts = [],
}: {
  readonly answers?: ReadonlyArray<ReadonlyArray<string>>;
  readonly local?: boolean;
  readonly ownPorts?: ReadonlyArray<number>;
  readonly privateHosts?: ReadonlyArray<string>;
} = {}) => {
  const resolved: Array<string> = [];
  const layer = Sender.layer.pipe(
    Layer.provide(
      Layer.mergeAll(
        Layer.succeed(NetworkOptions.NetworkOptions, {
          privateHosts: new Set(privateHosts),
          resolve: (hostname, callback) => {
            const addresses = answers[Math.min(resolved.length, answers.length - 1)] ?? [];
            resolved.push(hostname);
            callback(
              null,
              addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
            );
          },
        }),
        Layer.succeed(WebhookOptions.WebhookOptions, {
          ...WebhookOptions.WebhookOptions.defaultValue(),
          local,
          ownPorts: new Set(ownPorts),
        }),
      ),
    ),
  );
  const post = (url: string) =>
    WebhookSender.WebhookSender.use(({ send }) =>
      send({ url: Redacted.make(url), headers: { "x-test": "1" }, body: "{}" }),
    ).pipe(Effect.provide(layer));
  return { post, resolved };
};

/** A receiver: its URL under another name, and the requests that it got. */
const receiver = (respond: Http.Handler = (_, response) => response.end("thanks")) =>
  Effect.gen(function* () {
    const requests: Array<string> = [];
    const url = yield* Http.serve((request, response, message) => {
      requests.push(`${request.method} ${request.headers.host} ${request.headers["x-test"]}`);
      respond(request, response, message);
    });
    const { port } = new URL(url);
    return { url: `http://hooks.test:${port}/a`, host: `hooks.test:${port}`, port, requests };
  });

describe("an address of a webhook", () => {
  const rules: SafeAddress.Rules = {
    local: false,
    localSetting: "local",
    ownPorts: new Set(),
    privateHosts: new Set(["intranet.example.com"]),
    privateHostsSetting: "privateHosts",
  };
  const target = { hostname: "hooks.example.com", port: 443 };
  const intranet = { hostname: "Intranet.example.com", port: 443 };

  /** Addresses from each range that is not public. */
  const refused: ReadonlyArray<string> = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "2001:db8::1",
    "3fff::1",
  ];
  const embedding: ReadonlyArray<string> = [
    "::ffff:8.8.8.8",
    "::ffff:127.0.0.1",
    "::8.8.8.8",
    "::ffff:0:808:808",
    "64:ff9b::808:808",
    "64:ff9b:1::808:808",
    "2002:808:808::1",
    "2001:0:808:808::1",
  ];

  it.each([...refused, ...embedding])("[webhooks.address] is refused: %s", (address) => {
    assert.isNotNull(SafeAddress.problemOf(address, target, rules));
  });

  it.each(embedding)(
    "[webhooks.address] is refused as IPv4 in IPv6, also on this machine: %s",
    (address) => {
      const local = { ...rules, local: true };
      assert.include(SafeAddress.problemOf(address, target, local), "contains an IPv4 address");
      assert.include(SafeAddress.problemOf(address, intranet, local), "contains an IPv4 address");
    },
  );

  it.each(["8.8.8.8", "100.128.0.1", "172.32.0.1", "198.20.0.1", "2606:4700::1111"])(
    "[webhooks.address] is allowed: %s",
    (address) => {
      assert.isNull(SafeAddress.problemOf(address, target, rules));
      assert.isFalse(Addresses.embedsIpv4(address));
    },
  );

  it("[webhooks.address] names of the setting may have addresses of their organization only", () => {
    for (const address of ["10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "fd12::1"]) {
      assert.isNull(SafeAddress.problemOf(address, intranet, rules), address);
      assert.include(SafeAddress.problemOf(address, target, rules), "privateHosts");
    }
    for (const address of [
      "169.254.169.254",
      "fd00:ec2::254",
      "100.100.100.200",
      "224.0.0.1",
      "fe80::1",
      "127.0.0.1",
    ]) {
      assert.isNotNull(SafeAddress.problemOf(address, intranet, rules), address);
    }
  });
});

describe("a sender of webhooks", () => {
  it.live(
    "[webhooks.send] posts the body with its headers, and stores no text of this machine",
    () =>
      Effect.gen(function* () {
        const { host, requests, url } = yield* receiver();
        const { post } = network();
        assert.deepStrictEqual(yield* post(url), {
          status: 200,
          error: null,
          text: null,
          retryAfter: null,
          timedOut: false,
        });
        assert.deepStrictEqual(requests, [`POST ${host} 1`]);
      }),
  );

  it.live("[webhooks.rebinding] connects to the address that it checked, resolved once", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* receiver();
      const { post, resolved } = network({ answers: [["127.0.0.1"], ["10.0.0.1"]] });
      assert.deepInclude(yield* post(url), { status: 200 });
      assert.deepStrictEqual(resolved, ["hooks.test"]);
      // The next attempt resolves the name again, and refuses it.
      assert.include((yield* post(url)).error, "10.0.0.1 is a private address");
      assert.lengthOf(requests, 1);
    }),
  );

  it.live("[webhooks.address] one address that is not allowed refuses the name", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* receiver();
      for (const addresses of [
        ["127.0.0.1", "10.0.0.1"],
        ["::1", "169.254.169.254"],
        ["::ffff:7f00:1"],
      ]) {
        const { error, status } = yield* network({ answers: [addresses] }).post(url);
        assert.isNull(status);
        assert.include(error, "hooks.test");
      }
      const remote = network({ local: false });
      assert.include(
        (yield* remote.post(url.replace("http:", "https:"))).error,
        "127.0.0.1 is on this machine",
      );
      assert.lengthOf(requests, 0);
    }),
  );

  it.live("[webhooks.own] never connects to the service itself", () =>
    Effect.gen(function* () {
      const { port, requests, url } = yield* receiver();
      const own = network({ ownPorts: [Number(port)] });
      assert.include((yield* own.post(url)).error, "this service itself");
      assert.include((yield* own.post(`http://127.0.0.1:${port}/`)).error, "service itself");
      assert.include((yield* own.post(`http://localhost:${port}/`)).error, "service itself");
      assert.lengthOf(requests, 0);
    }),
  );

  it.live("[webhooks.redirect] follows no redirect", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* receiver((_, response) =>
        response.writeHead(307, { location: "/elsewhere" }).end(),
      );
      assert.deepInclude(yield* network().post(url), { status: 307 });
      assert.lengthOf(requests, 1);
    }),
  );

  it.live("[webhooks.errors] says why there was no response, without the path of the URL", () =>
    Effect.gen(function* () {
      const { port, url } = yield* receiver((_, response) => response.destroy());
      const { error } = yield* network().post(`${url}/s3cr3t?t=s3cr3t`);
      assert.include(error, `http://hooks.test:${port}: the connection was lost`);
      assert.notInclude(error, "s3cr3t");
      const closed = yield* network().post("http://hooks.test:1/s3cr3t");
      assert.include(closed.error, "the connection was refused");
      const retried = yield* receiver((_, response) =>
        response.writeHead(429, { "retry-after": "7" }).end(),
      );
      assert.deepInclude(yield* network().post(retried.url), { status: 429, retryAfter: "7" });
    }),
  );

  it.live(
    "[webhooks.timeout] ends a request after 15 seconds in all",
    () =>
      Effect.gen(function* () {
        const silent = yield* receiver(() => undefined);
        const slow = yield* receiver((_, response) => response.writeHead(202).write("a"));
        const [first, second] = yield* Effect.all(
          [network().post(silent.url), network().post(slow.url)],
          { concurrency: 2 },
        );
        assert.deepInclude(first, { status: null, timedOut: true });
        assert.include(first.error, "no response within 15 s");
        assert.deepInclude(second, { status: 202, timedOut: false });
      }),
    30_000,
  );

  it("[webhooks.response] the text of a response has 1,024 bytes and no control characters", () => {
    assert.strictEqual(
      Sender.textOf([Buffer.from("a\u0000b\u001b[1m\r\nc\td\u202e")]),
      "ab[1m\nc\td",
    );
    assert.lengthOf(Sender.textOf([Buffer.from("x".repeat(5_000))]), 1_024);
    assert.strictEqual(Sender.textOf([Buffer.from(`${"x".repeat(1_023)}ä`)]), "x".repeat(1_023));
  });
});
