import { resolve } from "node:path";
import * as NodeServices from "@effect/platform-node/NodeServices";
import type {
  McpConnector,
  OAuthClient,
  PackageStore,
  ProcessSpawner,
  RuntimeProbe,
  WebhookSender,
} from "@quartermaster/core";
import { Layer } from "effect";
import * as Packages from "./programs/packages/Packages.ts";
import * as Probe from "./programs/packages/Probe.ts";
import { Processes } from "./programs/processes/Processes.ts";
import { ProcessIdentity } from "./programs/processes/ProcessIdentity.ts";
import type { Setting } from "./programs/sandboxes/Sandboxes.ts";
import * as Spawner from "./programs/sandboxes/Spawner.ts";
import * as Connector from "./servers/Connector.ts";
import * as OAuth from "./servers/oauth/OAuth.ts";
import * as Sender from "./webhooks/Sender.ts";

export interface Options extends Packages.Options {
  /** The sandbox in which servers' programs run. Default: `auto`. */
  readonly sandbox?: Setting | undefined;
  /** Whether programs of Owners' entries may run without a sandbox. Default: false. */
  readonly allowDirect?: boolean | undefined;
}

/** The services that this package provides, without `ProcessSpawner`. */
export type Ports =
  | McpConnector.McpConnector
  | OAuthClient.OAuthClient
  | PackageStore.PackageStore
  | RuntimeProbe.RuntimeProbe
  | WebhookSender.WebhookSender;

/**
 * The connector, OAuth client, packages, runtime probe and sender of webhooks over the host's own `ProcessSpawner`.
 * Several services may share the data directory. Building the layer stops processes and removes
 * files that crashed services left in it.
 */
export const layerWith = <E>(
  spawner: Layer.Layer<ProcessSpawner.ProcessSpawner, E>,
  options: Packages.Options,
): Layer.Layer<Ports | ProcessSpawner.ProcessSpawner, E> => over(spawner, options);

/** The same services over the sandboxes of this package. */
export const layer = (options: Options): Layer.Layer<Ports | ProcessSpawner.ProcessSpawner> =>
  over(Spawner.layer({ ...options, dataDir: resolve(options.dataDir) }), options);

const over = <E>(
  spawner: Layer.Layer<ProcessSpawner.ProcessSpawner, E, Processes>,
  options: Packages.Options,
) =>
  Layer.fresh(
    Layer.mergeAll(
      Connector.layer,
      OAuth.layer,
      Packages.layer(options),
      Probe.layer,
      Sender.layer,
    ).pipe(
      Layer.provideMerge(spawner),
      Layer.provide(Processes.layer({ dataDir: resolve(options.dataDir) })),
      Layer.provide(Layer.provide(ProcessIdentity.layer, NodeServices.layer)),
    ),
  );
