import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "@effect/vitest";
import { Mcp } from "@quartermaster/mcp";
import { Fixtures } from "@quartermaster/testing";
import type * as Client from "../support/Client.ts";
import type * as TestServer from "../support/TestServer.ts";
import * as World from "../support/World.ts";
import * as Provider from "./Provider.ts";

interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface OAuthWorld extends Pick<World.World, "as" | "call" | "keys" | "url"> {
  readonly provider: Provider.Provider;
  /** The lines of the log, and the responses. */
  readonly log: ReadonlyArray<string>;
  readonly answers: ReadonlyArray<string>;
  /** The installed server, and its path. */
  readonly id: string;
  readonly path: string;
  readonly begin: () => Promise<Client.Answer>;
  /**
   * Opens the consent URL like a browser. Returns the target of the redirect without loading it.
   */
  readonly consent: (address: string) => Promise<URL>;
  /** The page that the callback returns. */
  readonly visit: (url: URL | string, init?: RequestInit) => Promise<Page>;
  readonly authorize: () => Promise<Page>;
  readonly verify: () => Promise<Client.Answer["body"]>;
}

const variable = (name: string, secret: boolean) => ({
  name,
  description: "Of a client that was registered by hand.",
  required: false,
  secret,
  default: null,
});

/** The whole service with real connections, and the provider of its server `board`. */
export const start = async (options: TestServer.Options = {}): Promise<OAuthWorld> => {
  const dataDir = await mkdtemp(join(tmpdir(), "quartermaster-"));
  const provider = await Provider.start();
  const log: Array<string> = [];
  const answers: Array<string> = [];
  const world = await World.start({
    ...options,
    log: ({ text }) => log.push(text),
    ports: Mcp.layer({ dataDir, prepareSeconds: 10 }),
    catalog: [
      Fixtures.entry({
        id: "board",
        transport: "http",
        runtime: "none",
        manifest: { url: `${provider.url}/mcp`, headers: {} },
        envVars: [variable("OAUTH_CLIENT_ID", false), variable("OAUTH_CLIENT_SECRET", true)],
      }),
    ],
  });
  onTestFinished(async () => {
    await world.close();
    await provider.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const call: typeof world.call = async (method, path, options) => {
    const answer = await world.as(world.keys.admin.key)(method, path, options);
    answers.push(answer.text, JSON.stringify([...answer.headers]));
    return answer;
  };
  const installed = await call("POST", "/api/mcp/installed", { body: { catalogId: "board" } });
  const id: string = installed.body.id;
  const path = `/api/mcp/installed/${id}`;
  const begin = () => call("POST", `${path}/authorize`);

  const consent = async (address: string) => {
    const answer = await fetch(address, { redirect: "manual" });
    return new URL(answer.headers.get("location") ?? "about:blank");
  };

  const visit: OAuthWorld["visit"] = async (url, init = {}) => {
    const answer = await fetch(url, init);
    const text = await answer.text();
    answers.push(text, JSON.stringify([...answer.headers]));
    return { status: answer.status, headers: answer.headers, text };
  };

  const authorize = async () => visit(await consent((await begin()).body.url));
  const verify = async () => (await call("POST", `${path}/verify`)).body;

  return {
    ...world,
    provider,
    log,
    answers,
    call,
    id,
    path,
    begin,
    consent,
    visit,
    authorize,
    verify,
  };
};
