import { assert, it } from "@effect/vitest";
import {
  Agents,
  type Catalog,
  EventStore,
  type AccessEntry,
  type InstalledServer,
  McpServers,
  Nodes,
  Principal,
  ToolGateway,
} from "@quartermaster/core";
import {
  Callers,
  Fixtures,
  ScriptedConnector,
  type ScriptedServer,
  TestCore,
} from "@quartermaster/testing";
import { Effect, Layer, type Scope } from "effect";
import { TestClock } from "effect/testing";
import * as Idle from "./Idle.ts";
import * as TestStorage from "./Storage.ts";

/** The setup of tests of MCP servers: the services on scripted servers, called by an Admin. */

export const admin = Principal.user("root", "Admin");
export const secret = "s3cr3t/value+1";

export type Services = TestCore.McpServices;

/** A test with the given layers. */
export const checkWith = <A, E>(
  name: string,
  body: Effect.Effect<A, E, Principal.CurrentPrincipal | Scope.Scope>,
): void => it.effect(name, () => body.pipe(Callers.as(admin), Idle.tracked));

export const checkIn = <A, E, E2>(
  layer: Layer.Layer<Services, E2>,
  name: string,
  body: Effect.Effect<A, E, Services | Principal.CurrentPrincipal>,
): void => checkWith(name, Effect.provide(body, layer));

/** A test of the services. An Admin makes its calls, except calls with `as`. */
export const check = <A, E>(
  name: string,
  body: Effect.Effect<A, E, Services | Principal.CurrentPrincipal>,
): void => checkIn(TestStorage.layerMcp, name, body);

type Update = typeof InstalledServer.ServerUpdate.Encoded;
type AccessEntries = (typeof AccessEntry.AccessUpdate.Encoded)["entries"];

class McpWorld {
  /** Waits until every fiber waits for the clock or for a signal. */
  readonly idle = Idle.idle;

  /** Advances the clock, and waits for everything that happens in that time. */
  pass(duration: Parameters<typeof TestClock.adjust>[0]) {
    return Effect.andThen(Idle.idle, Effect.andThen(TestClock.adjust(duration), Idle.idle));
  }

  /** The scripted server with this command or host. */
  scripted(address: string) {
    return ScriptedConnector.ScriptedConnector.use((connector) =>
      Effect.succeed(connector.server(address)),
    );
  }

  servers<A, E, R>(f: (service: McpServers.McpServers["Service"]) => Effect.Effect<A, E, R>) {
    return McpServers.McpServers.use(f);
  }

  install(catalogId: string, envValues: Record<string, string | null> = {}, name?: string) {
    const named = name === undefined ? {} : { name };
    return this.servers((service) => service.install({ catalogId, envValues, ...named }));
  }

  /** Installs `test-notes`. */
  notes(name?: string) {
    return this.install("test-notes", { NOTES_KEY: secret }, name);
  }

  get(id: string) {
    return this.servers((service) => service.get(id));
  }

  statusOf(id: string) {
    return Effect.map(this.get(id), ({ status }) => status);
  }

  verify(id: string, accept = false) {
    return this.servers((service) => service.verify(id, { accept }));
  }

  /** Lists the server's tools, and accepts them as listed. */
  accept(id: string) {
    return Effect.andThen(this.verify(id), this.verify(id, true));
  }

  enable(id: string) {
    return this.servers((service) => service.enable(id));
  }

  disable(id: string) {
    return this.servers((service) => service.disable(id));
  }

  uninstall(id: string) {
    return this.servers((service) => service.uninstall(id));
  }

  update(id: string, input: Update) {
    return this.servers((service) => service.update(id, input));
  }

  /** The states of the server's tools, as `name: state`. */
  states(id: string) {
    return Effect.map(
      this.servers((service) => service.tools(id)),
      (tools) => tools.map(({ name, state }) => `${name}: ${state}`),
    );
  }

  putAccess(id: string, ...entries: AccessEntries[number][]) {
    return this.servers((service) => service.putAccess(id, { entries }));
  }

  grant(id: string, agentId = "bot", tools?: ReadonlyArray<string> | null) {
    const limited = tools === undefined ? {} : { tools };
    return this.putAccess(id, { agentId, granted: true, ...limited });
  }

  revoke(id: string, agentId = "bot") {
    return this.putAccess(id, { agentId, granted: false });
  }

  register(agentId: string) {
    return Agents.Agents.use((agents) => agents.put(agentId, {}));
  }

  list(agentId = "bot") {
    return ToolGateway.ToolGateway.use((gateway) => gateway.list(agentId));
  }

  names(agentId = "bot") {
    return Effect.map(this.list(agentId), ({ tools }) => tools.map(({ name }) => name));
  }

  revision(agentId = "bot") {
    return Effect.map(this.list(agentId), ({ revision }) => revision);
  }

  call(
    name: string,
    args: Record<string, unknown> = {},
    options: ToolGateway.CallOptions & { readonly agentId?: string } = {},
  ) {
    return ToolGateway.ToolGateway.use((gateway) =>
      gateway.call(options.agentId ?? "bot", { name, arguments: args }, options),
    );
  }

  records(query: ToolGateway.CallsRequest = {}) {
    return Effect.map(
      ToolGateway.ToolGateway.use((gateway) => gateway.calls(query)),
      ({ items }) => items,
    );
  }

  /** The events of MCP servers up to now. */
  readonly events = Effect.gen(function* () {
    const store = yield* EventStore.EventStore;
    const until = yield* store.lastSeq;
    const all = { projects: null, kinds: null };
    const rows = yield* store.list(all, { after: 0, until, limit: 500 });
    return rows.filter(({ kind }) => kind.startsWith("mcp."));
  });

  readonly kinds = Effect.map(this.events, (rows) => rows.map(({ kind }) => kind));

  /**
   * Creates a server from an entry of the catalog: verified with these tools, enabled, granted to
   * `bot`, and connected.
   */
  running(tools: ReadonlyArray<string> = ["add"], catalogId = "test-notes") {
    return Effect.gen({ self: this }, function* () {
      const server = yield* this.scripted(catalogId.replace("test-", ""));
      server.tools = tools.map((name) => Fixtures.definition(name));
      const values = catalogId === "test-notes" ? { NOTES_KEY: secret } : undefined;
      const { id } = yield* this.install(catalogId, values);
      yield* this.verify(id);
      yield* this.enable(id);
      yield* this.grant(id);
      yield* this.idle;
      if (catalogId !== "test-sessions") assert.strictEqual(server.connections, 1);
      const running: { readonly id: string; readonly server: ScriptedServer.ScriptedServer } = {
        id,
        server,
      };
      return running;
    });
  }

  /**
   * Builds nodes that share storage and servers. Returns a function that runs an effect on a node.
   */
  readonly nodes = Effect.gen(function* () {
    const storage = Layer.succeedContext(yield* Layer.build(TestStorage.storage));
    const scripted = Layer.succeedContext(yield* Layer.build(TestCore.scripted));
    let seed = 0;
    return (
      options: {
        readonly catalog?: Layer.Layer<Catalog.Catalog>;
        readonly scripted?: Layer.Layer<TestCore.Scripted>;
        readonly storage?: (shared: typeof storage) => typeof storage;
        readonly nodes?: typeof Nodes.Nodes.Service;
      } = {},
    ) =>
      Effect.map(
        Layer.build(
          Layer.fresh(
            TestCore.layerMcpWith({
              scripted,
              seed: ++seed,
              ...options,
              storage: options.storage?.(storage) ?? storage,
            }),
          ).pipe(Layer.provide(Layer.succeed(Nodes.Nodes, options.nodes ?? null))),
        ),
        (context) =>
          <A, E, R>(effect: Effect.Effect<A, E, R>) =>
            effect.pipe(Callers.as(admin), Effect.provide(context)),
      );
  });
}

export const world = new McpWorld();

/** The reason of a refusal. */
export const reasonOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => (error as { readonly reason?: string }).reason);

export const refusal = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => error as { readonly _tag: string } & E);

export const assertTag = <A, E, R>(effect: Effect.Effect<A, E, R>, tag: string) =>
  Effect.map(refusal(effect), (error) => assert.strictEqual(error._tag, tag));
