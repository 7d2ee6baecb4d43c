import type { LookupFunction } from "node:net";
import { Addresses, SettingNames } from "@quartermaster/core";
import { Context, Effect, Layer } from "effect";
import { NetworkOptions } from "./NetworkOptions.ts";

/** The error for a host name that resolves to an address of this host or its network. */
export class PrivateAddress extends Error {
  readonly code = "EPRIVATE";
  readonly hostname: string;
  readonly address: string;
  /** The name of the setting that allows the host name. */
  readonly setting: string;

  constructor(hostname: string, address: string, setting: string) {
    super(`${hostname} resolves to the private address ${address}`);
    this.hostname = hostname;
    this.address = address;
    this.setting = setting;
  }
}

type Fetch = typeof globalThis.fetch;

/** Undici ends a silent response. Calls have their own limits, of at most 3,600 s. */
const silenceMillis = 3_660_000;

/**
 * The `fetch` of all requests to remote servers. It resolves each host name once per connection,
 * refuses the name if any of its addresses is private, and connects only to the checked addresses.
 * A DNS answer that changes between check and connection (DNS rebinding) therefore has no effect.
 *
 * It rejects as `fetch` does, with a `TypeError`. Its cause is `PrivateAddress` for a refused name.
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

      // Loading Undici takes 0.1 s of the service's start, and many services have no remote
      // servers.
      const load = async () => {
        // Use the default export: Undici is CommonJS, so a bundle of this module has no named
        // exports.
        const { Agent, fetch } = (await import("@effect/platform-node/Undici")).default;
        const silence = { headersTimeout: silenceMillis, bodyTimeout: silenceMillis };
        return { agent: new Agent({ connect: { lookup }, ...silence }), fetch };
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
