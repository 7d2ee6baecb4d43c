import { Layer } from "effect";
import { Imports } from "./Imports.ts";
import { Installing } from "./internal/Installing.ts";
import { PackageRetention } from "./internal/PackageRetention.ts";
import { ServerFiles } from "./internal/ServerFiles.ts";
import { Verifier } from "./internal/Verifier.ts";
import { McpServers } from "./McpServers.ts";

/** The services of installed servers. */
export const layer = Layer.merge(Imports.layerNoDeps, McpServers.layerNoDeps).pipe(
  Layer.provide(Installing.layerNoDeps),
  Layer.provide(ServerFiles.layerNoDeps),
  Layer.provide(Layer.merge(Verifier.layerNoDeps, PackageRetention.layerNoDeps)),
);
