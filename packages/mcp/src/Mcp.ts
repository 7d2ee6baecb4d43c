import { resolve } from "node:path";
import * as NodeServices from "@effect/platform-node/NodeServices";
import type { McpConnector, OAuthClient, PackageStore, RuntimeProbe } from "@quartermaster/core";
import { Layer } from "effect";
import * as Connector from "./Connector.ts";
import * as OAuth from "./oauth/OAuth.ts";
import * as Packages from "./packages/Packages.ts";
import * as Probe from "./packages/Probe.ts";
import { Processes } from "./processes/Processes.ts";
import { ProcessIdentity } from "./processes/ProcessIdentity.ts";

/**
 * Connections, authorization, packages and the probe of runtimes, below a data directory that several
 * services may share. Building the layer stops processes, and removes files, that crashed services left
 * there.
 */
export const layer = (
  options: Packages.Options,
): Layer.Layer<
  | McpConnector.McpConnector
  | OAuthClient.OAuthClient
  | PackageStore.PackageStore
  | RuntimeProbe.RuntimeProbe
> =>
  Layer.fresh(
    Layer.mergeAll(Connector.layer, OAuth.layer, Packages.layer(options), Probe.layer).pipe(
      Layer.provide(Processes.layer({ dataDir: resolve(options.dataDir) })),
      Layer.provide(Layer.provide(ProcessIdentity.layer, NodeServices.layer)),
    ),
  );
