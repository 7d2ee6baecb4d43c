import type { CatalogEntry, InstalledServer } from "@quartermaster/core";
import type * as Batch from "../sql/Batch.ts";

/** The columns of an installed server, and how they become its row. */
export interface ServerColumns {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly status: InstalledServer.ServerStatus;
  readonly former_status: "enabled" | "disabled";
  readonly known: number;
  readonly tools_changed: number;
  readonly generation: number;
  readonly tools_version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_verification: string | null;
  readonly entry: string;
}

/** Texts that were read before, parsed: a server is read at each call of its tools. */
const known = new Map<string, unknown>();

const parse = (text: string): unknown => {
  let value = known.get(text);
  if (value === undefined) {
    if (known.size >= 200) known.clear();
    known.set(text, (value = JSON.parse(text)));
  }
  return value;
};

export const toRow = (columns: ServerColumns): InstalledServer.InstalledServerRow => ({
  seq: columns.seq,
  id: columns.id,
  name: columns.name,
  entry: parse(columns.entry) as CatalogEntry.CatalogEntry,
  status: columns.status,
  formerStatus: columns.former_status,
  lastVerification:
    columns.last_verification === null
      ? null
      : (parse(columns.last_verification) as InstalledServer.LastVerification),
  known: columns.known === 1,
  toolsChanged: columns.tools_changed === 1,
  generation: columns.generation,
  toolsVersion: columns.tools_version,
  createdAt: columns.created_at,
  updatedAt: columns.updated_at,
});

export const toColumns = (server: Omit<InstalledServer.InstalledServerRow, "seq">) =>
  ({
    id: server.id,
    name: server.name,
    status: server.status,
    former_status: server.formerStatus,
    known: Number(server.known),
    tools_changed: Number(server.toolsChanged),
    generation: server.generation,
    tools_version: server.toolsVersion,
    created_at: server.createdAt,
    updated_at: server.updatedAt,
    last_verification:
      server.lastVerification === null ? null : JSON.stringify(server.lastVerification),
    entry: JSON.stringify(server.entry),
  }) satisfies Record<string, Batch.Cell>;
