import type { LookupFunction } from "node:net";
import { Addresses, SettingNames } from "@quartermaster/core";
import { Context, Effect, Layer } from "effect";
import { NetworkOptions } from "./NetworkOptions.ts";

/** A host name that resolves to an address of this host or of its network. */
export class PrivateAddress extends Error {
  readonly code = "EPRIVATE";
  readonly hostname: string;
  readonly address: string;
  /** The name of the setting that allows it. */
  readonly setting: string;

  constructor(hostname: string, address: string, setting: string) {
    super(`${hostname} resolves to the private address ${address}`);
    this.hostname = hostname;
    this.address = address;
    this.setting = setting;
  }
}

type Fetch = typeof globalThis.fetch;

/**
 * The `fetch` of all requests to remote servers. It resolves each host name once per connection,
 * refuses it if any of its addresses is private, and connects to the addresses it has checked: an
 * answer of DNS that changes between check and connection (DNS rebinding) gains nothing.
 *
 * It rejects as `fetch` does: a `TypeError`, whose cause is `PrivateAddress` for a refused name.
 */
export class RemoteFetch extends Context.Service<RemoteFetch, { readonly fetch: Fetch }>()(
  "@quartermaster/mcp/servers/network/RemoteFetch",
) {
  static readonly layer: Layer.Layer<RemoteFetch> = Layer.effect(
    RemoteFetch,
    Effect.gen(function* () {
      const { privateHosts, resolve } = yield* NetworkOptions;
      const names = yield* SettingNames.SettingNames;

      const lookup: LookupFunction = (hostname, options, callback) =>
        resolve(hostname, (error, addresses) => {
          const name = hostname.toLowerCase();
          const refused =
            Addresses.isLocalhost(name) || privateHosts.has(name)
              ? undefined
              : addresses.find(({ address }) => Addresses.reachOf(address) !== "public");
          const [first] = addresses;
          if (error !== null) callback(error, []);
          else if (refused !== undefined)
            callback(new PrivateAddress(name, refused.address, names.privateHosts), []);
          else if (options.all === true) callback(null, [...addresses]);
          else callback(null, first?.address ?? "", first?.family);
        });

      // Undici is a tenth of a second of a service's start, and many services have no remote servers.
      const load = async () => {
        // The default export: a bundle of this module has no named ones, since Undici is CommonJS.
        const { Agent, fetch } = (await import("@effect/platform-node/Undici")).default;
        return { agent: new Agent({ connect: { lookup } }), fetch };
      };
      let loaded: ReturnType<typeof load> | undefined;
      yield* Effect.addFinalizer(() => Effect.promise(async () => (await loaded)?.agent.destroy()));

      const guarded: Fetch = async (input, init) => {
        const { agent, fetch } = await (loaded ??= load());
        // Node's types of `fetch` come from another version of Undici.
        const send = fetch as unknown as Fetch;
        const dispatching: object = { dispatcher: agent };
        return send(input, { ...init, ...dispatching });
      };
      return RemoteFetch.of({ fetch: guarded });
    }),
  );
}
