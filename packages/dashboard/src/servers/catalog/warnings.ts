import type { CatalogEntry, CatalogEntrySummary, HostReport } from "../../data/servers/catalog.ts";

/** Warnings about running a server on this host. */

/** A warning about a runtime missing on the host; null if none is missing. */
export const runtimeWarning = (
  { runtime }: Pick<CatalogEntrySummary, "runtime">,
  host: HostReport,
): string | null => {
  if (runtime === "node" && !host.node.detected)
    return "Needs Node.js, which this host does not have.";
  if (runtime === "python" && !host.python.detected)
    return "Needs Python, which this host does not have.";
  if (runtime === "pipx" && !host.pipx.detected && !host.python.detected) {
    return "Needs pipx or Python, and this host has neither.";
  }
  return null;
};

const isJavaScript = (runtime: string, command: string) =>
  runtime === "node" || /(^|[\\/])node(js)?(\.exe)?$|\.[cm]?js$/i.test(command);

/** A warning if the program would run unprotected or not at all; null if a sandbox is available. */
export const sandboxWarning = (entry: CatalogEntry, host: HostReport): string | null => {
  if (!("command" in entry.manifest)) return null;
  const { command, package: name, sandbox } = entry.manifest;
  const has = (layer: string) => host.sandboxes[layer]?.detected === true;
  const unprotected =
    "Runs without a sandbox: the program can read and change everything that the service's user can.";
  if (host.sandbox !== "auto" && host.sandbox !== "direct") {
    return has(host.sandbox)
      ? null
      : `The service is configured for the sandbox ${host.sandbox}, which is not available: ${host.sandboxes[host.sandbox]?.reason ?? "it was not found"}`;
  }
  const suitsNode = isJavaScript(entry.runtime, command) && sandbox?.childProcesses !== true;
  if (host.sandbox === "auto" && (entry.source === "own" || name != null || sandbox != null)) {
    if (has("bubblewrap")) {
      return entry.source === "own" && name == null && sandbox == null
        ? "Runs in bubblewrap, or without a sandbox if the operator of the server allows it."
        : null;
    }
    if (suitsNode && has("node")) {
      return "Runs under the permission model of Node.js, which protects against accidents but not against malicious programs.";
    }
  }
  return entry.source === "own"
    ? "This host has no sandbox for it. It can only start if the operator of the server allows programs without a sandbox."
    : unprotected;
};

/** The access of the program beyond its package and its folder, one phrase each; for a remote server, its URL. */
export const reachOf = (entry: CatalogEntry): ReadonlyArray<string> => {
  if (!("command" in entry.manifest)) return [`Sends requests to ${entry.manifest.url}`];
  const { sandbox } = entry.manifest;
  return [
    sandbox?.network === false ? "No network" : "The network",
    ...(sandbox?.read ?? []).map((path) => `Reads ${path}`),
    ...(sandbox?.write ?? []).map((path) => `Reads and writes ${path}`),
    ...(sandbox?.childProcesses === true ? ["Starts other programs"] : []),
  ];
};
