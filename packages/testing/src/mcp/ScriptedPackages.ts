import { type CatalogEntry, type McpConnector, PackageStore } from "@quartermaster/core";
import { Context, Effect, Layer } from "effect";

type Manifest = CatalogEntry.StdioManifest;

/** The script of `PackageStore`, and a record of its calls. */
export interface Script {
  /** Runs in each preparation. Its failure fails the preparation. Default: succeeds immediately. */
  onPrepare: (manifest: Manifest) => Effect.Effect<void, McpConnector.ConnectorError>;
  /** The manifests of all preparations, including failed ones. */
  readonly prepared: Array<Manifest>;
  /** The packages to retain, one list per call. */
  readonly retained: Array<ReadonlyArray<string>>;
  /** The folders that currently exist. */
  readonly folders: Set<string>;
}

export class ScriptedPackages extends Context.Service<ScriptedPackages, Script>()(
  "@quartermaster/testing/mcp/ScriptedPackages",
) {
  /** The parent of the servers' folders. */
  static readonly dataDir = "/data";
  /** The folder that entries of Owners may access. */
  static readonly allowed = "/srv/allowed/";

  /** `PackageStore` without files. The program is the manifest's `command`. */
  static readonly layer: Layer.Layer<ScriptedPackages | PackageStore.PackageStore> =
    Layer.effectContext(
      Effect.sync(() => {
        const script: Script = {
          onPrepare: () => Effect.void,
          prepared: [],
          retained: [],
          folders: new Set(),
        };
        const store = PackageStore.PackageStore.of({
          prepare: (_, manifest) =>
            Effect.suspend(() => {
              script.prepared.push(manifest);
              return Effect.as(script.onPrepare(manifest), {
                command: manifest.command,
                args: [],
                files: [],
              });
            }),
          retain: (manifests) =>
            Effect.sync(() => {
              script.retained.push(manifests.map(named));
            }),
          folder: (serverId, agentId) =>
            Effect.sync(() => {
              const folder = `${folderOf(serverId)}${agentId ?? ""}`;
              script.folders.add(folder);
              return folder;
            }),
          isForbiddenPath: (value) => Effect.sync(() => isForbidden(value)),
          isAllowedPath: (path) => Effect.sync(() => path.startsWith(ScriptedPackages.allowed)),
          removeFolders: (serverId) =>
            Effect.sync(() => {
              for (const folder of script.folders) {
                if (folder.startsWith(folderOf(serverId))) script.folders.delete(folder);
              }
            }),
        });
        return Context.make(ScriptedPackages, script).pipe(
          Context.add(PackageStore.PackageStore, store),
        );
      }),
    );
}

const { dataDir } = ScriptedPackages;

const folderOf = (serverId: string) => `${dataDir}/servers/${serverId}/`;

const named = ({ package: name, version }: Manifest) => `${name}@${version}`;

/** Supports absolute paths only. */
const isForbidden = (value: string): boolean =>
  value.startsWith("/") &&
  (`${value}/`.startsWith(`${dataDir}/`) || dataDir.startsWith(value.replace(/\/?$/, "/")));
