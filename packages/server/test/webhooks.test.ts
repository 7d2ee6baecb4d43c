import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { assert, describe, it, onTestFinished, vi } from "@effect/vitest";
import { Webhook } from "standardwebhooks";
import { Signal } from "../../http/test/support/Signal.ts";
import { Dice } from "./Dice.ts";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";
import * as Reader from "./Reader.ts";

/** The program with receivers of its webhooks, which verify with the library of Standard Webhooks. */

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver. `respond` returns the status of a response. */
const receiver = async (respond: (received: Received) => number = () => 204) => {
  const received: Array<Received> = [];
  const changed = new Signal();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const one = { headers: request.headers, body };
      received.push(one);
      response.writeHead(respond(one)).end();
      changed.notify();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    until: (fits: (all: ReadonlyArray<Received>) => boolean) => changed.until(() => fits(received)),
  };
};

const verified = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

const local = { QM_WEBHOOK_LOCAL: "1", QM_RATE_LIMIT: "0" };

const start = async (env: Record<string, string> = {}) =>
  Quartermaster.start(join(await temporaryFolder(), "data"), { ...local, ...env });

const create = async ({ call }: Quartermaster, url: string, input: object = {}) => {
  const body = { url, name: "Test", kinds: ["issue.*"], ...input };
  const answer = await call("POST", "/api/webhooks", { body });
  assert.strictEqual(answer.status, 201, answer.text);
  return answer.body as { readonly id: string; readonly secret: string };
};

const issue = async ({ call }: Quartermaster, title: string) => {
  const answer = await call("POST", "/api/projects/hooks/issues", { body: { title } });
  assert.strictEqual(answer.status, 201, answer.text);
  return answer.body.id as string;
};

const kindOf = ({ body }: Received) => JSON.parse(body).type as string;

describe("webhooks of the program", { timeout: 300_000 }, () => {
  it("[webhooks.verify] the receiver verifies with standardwebhooks, also during a rotation and with a clock that is off by 4 minutes", async () => {
    // A proxy of the environment is not used.
    const proxy = await receiver();
    const { origin } = new URL(proxy.url);
    const node = await start({ NODE_USE_ENV_PROXY: "1", HTTP_PROXY: origin, HTTPS_PROXY: origin });
    const { received, until, url } = await receiver();
    const { id, secret } = await create(node, url);
    await issue(node, "Mend the roof");
    await until(({ length }) => length === 1);
    const [first] = received;
    if (first === undefined) throw new Error("nothing was received");
    assert.deepInclude(verified(secret, first) as object, { type: "issue.created" });
    assert.throws(() => verified(secret, { ...first, body: `${first.body} ` }));

    const rotated = await node.call("POST", `/api/webhooks/${id}/rotate`);
    assert.strictEqual(rotated.status, 200, rotated.text);
    const again = await node.call("POST", `/api/webhooks/${id}/rotate`, { body: {} });
    assert.strictEqual(again.body.type, "urn:quartermaster:problem:rotation-open");
    const tested = await node.call("POST", `/api/webhooks/${id}/test`);
    assert.deepInclude(tested.body, { kind: "webhook.test", status: "delivered", lastStatus: 204 });
    const [, second] = received;
    if (second === undefined) throw new Error("the test was not received");
    const sent = Number(second.headers["webhook-timestamp"]) * 1_000;
    onTestFinished(() => void vi.useRealTimers());
    for (const minutes of [-4, 0, 4]) {
      vi.useFakeTimers({ toFake: ["Date"], now: sent + minutes * 60_000 });
      verified(secret, second);
      verified(rotated.body.secret, second);
    }
    vi.useFakeTimers({ toFake: ["Date"], now: sent + 6 * 60_000 });
    assert.throws(() => verified(secret, second));
    vi.useRealTimers();
    assert.lengthOf(proxy.received, 0);
  });

  it("[webhooks.request] without QM_PUBLIC_URL, the URL of an issue is below the address of the server", async () => {
    const { received, until, url } = await receiver();
    const node = await start();
    await create(node, url);
    await create(node, url, { format: "text" });
    const id = await issue(node, "Mend the roof");
    await until(({ length }) => length === 2);
    const { body } = await node.call("GET", `/api/projects/issues/${id}`);
    const page = `${node.url}/issues/${body.key}`;
    const sent = received.map((one) => JSON.parse(one.body));
    assert.strictEqual(sent.find(({ data }) => data !== undefined)?.data.issue.url, page);
    assert.isTrue(sent.find(({ text }) => text !== undefined)?.text.endsWith(` ${page}`));
  });

  it("[webhooks.isolated] a receiver that responds with 500 to one event gets the others within 5 s", async () => {
    const node = await start();
    let bad = "";
    const { received, until, url } = await receiver(({ body }) => (body.includes(bad) ? 500 : 204));
    bad = await issue(node, "Before the webhook");
    await create(node, url);
    await node.call("PUT", `/api/projects/issues/${bad}`, { body: { title: "Bad" } });
    const began = performance.now();
    for (let count = 0; count < 20; count += 1) await issue(node, `Good ${count}`);
    await until((all) => all.filter((one) => kindOf(one) === "issue.created").length === 20);
    assert.isBelow(performance.now() - began, 5_000);
    assert.isAtLeast(received.filter((one) => kindOf(one) === "issue.updated").length, 1);
  });

  it("[webhooks.refused] the service itself, and names that resolve to this machine, are refused", async () => {
    const node = await start();
    const { port } = new URL(node.url);
    const own = await node.call("POST", "/api/webhooks", {
      body: { url: `http://localhost:${port}/`, name: "Own", kinds: ["issue.*"] },
    });
    assert.strictEqual(own.status, 400);
    assert.include(own.text, "this service itself");
    const closed = await start({ QM_WEBHOOK_LOCAL: "0" });
    for (const url of ["http://example.com/", "https://127.0.0.1/", "https://localhost/"]) {
      const body = { url, name: "Local", kinds: ["issue.*"] };
      const answer = await closed.call("POST", "/api/webhooks", { body });
      assert.strictEqual(answer.status, 400);
      assert.include(answer.text, "QM_WEBHOOK_LOCAL=1");
    }
  });

  it("[webhooks.crash] after kill -9 under load every event was received at least once, and none is unknown", async () => {
    const dice = Dice.seeded("webhooks");
    const folder = join(await temporaryFolder(), "data");
    const { received, until, url } = await receiver();
    const rounds = process.env["QM_LONG"] === "1" ? 10 : 2;
    const each = process.env["QM_LONG"] === "1" ? 1_000 : 60;
    let since = "";
    for (let round = 0; round <= rounds; round += 1) {
      const node = await Quartermaster.start(folder, local);
      if (round === 0) {
        const hearing = await Reader.listen(node);
        [since = ""] = (await hearing.until(await Reader.mark(node))).map(({ id }) => id);
        await create(node, url);
      }
      if (round === rounds) {
        const hearing = await Reader.listen(node, since);
        const events = await hearing.until(await Reader.mark(node));
        const known = new Set(events.map(({ id }) => id));
        const ids = () => new Set(received.map(({ headers }) => String(headers["webhook-id"])));
        // Each event arrives at least once, and none is unknown.
        await until(({ length }) => length >= known.size && ids().size >= known.size);
        assert.sameMembers([...ids()], [...known]);
        assert.isAtLeast(known.size, (each / 2) * rounds);
        break;
      }
      const kill = dice.below(each / 2) + each / 2;
      let created = 0;
      const client = async () => {
        while (created < kill) {
          created += 1;
          await issue(node, `Issue ${round}`).catch(() => undefined);
        }
      };
      await Promise.all([client(), client(), client(), client()]);
      await node.kill();
    }
  });
});
