import { Redacted, Schema, SchemaTransformation } from "effect";
import { HostId, ServiceId } from "../Id.ts";
import type { SealedValue } from "../secrets/SealedValue.ts";
import { Timestamp } from "../Timestamp.ts";
import { type CatalogEntry, Transport, VariableName } from "./CatalogEntry.ts";

/** `error` when a verify failed, or when the running server failed too often. */
export const ServerStatus = Schema.Literals(["enabled", "disabled", "error"]);
export type ServerStatus = typeof ServerStatus.Type;

/** What a verify found. `capabilities` are the names of the tools, in the server's order. */
export const VerifyResult = Schema.Struct({
  status: Schema.Literals(["ok", "error"]),
  /** The response time in ms, or the reason. */
  details: Schema.String,
  capabilities: Schema.optionalKey(Schema.Array(Schema.String)),
}).annotate({ identifier: "VerifyResult" });
export interface VerifyResult extends Schema.Schema.Type<typeof VerifyResult> {}

export const LastVerification = Schema.Struct({
  ...VerifyResult.fields,
  verifiedAt: Timestamp,
}).annotate({ identifier: "LastVerification" });
export interface LastVerification extends Schema.Schema.Type<typeof LastVerification> {}

/** An installed server, as every answer shows it: never with a value of its variables. */
export const InstalledServer = Schema.Struct({
  id: ServiceId,
  name: Schema.String,
  catalogId: Schema.String,
  transport: Transport,
  status: ServerStatus,
  /** Of its package; null without one. */
  version: Schema.NullOr(Schema.String),
  /** Whether the catalogue has another version. */
  updateAvailable: Schema.Boolean,
  lastVerification: Schema.NullOr(LastVerification),
  env: Schema.Array(Schema.Struct({ name: Schema.String, isSet: Schema.Boolean })),
  /** Whether a tool is changed or new since the last acceptance, and withheld. */
  toolsChanged: Schema.Boolean,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).annotate({ identifier: "InstalledServer" });
export interface InstalledServer extends Schema.Schema.Type<typeof InstalledServer> {}

/**
 * An installed server as storage keeps it. `entry` is the catalogue's entry as it was when this
 * version was installed; `formerStatus` is what it was before `error`; `generation` grows with
 * whatever makes live connections stale, on every node; `known` says whether its tools have ever
 * been seen. `seq` is its place in the order of installing, given by the storage.
 */
export interface InstalledServerRow {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly entry: CatalogEntry;
  readonly status: ServerStatus;
  readonly formerStatus: "enabled" | "disabled";
  readonly lastVerification: LastVerification | null;
  readonly known: boolean;
  readonly toolsChanged: boolean;
  readonly generation: number;
  /** Grows whenever its tools are written. */
  readonly toolsVersion: number;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** The value of a variable, or another secret of the server's (`oauth.tokens`), under its name. */
export interface SecretRow extends SealedValue {
  readonly serverId: string;
  readonly name: string;
}

const ServerName = Schema.String.check(
  Schema.isPattern(/^[a-z0-9-]{1,32}$/, { expected: "1 to 32 characters of a-z 0-9 -" }),
);

/**
 * The value of a variable. It cannot end a line or a C string, and every encoding can represent it.
 * On the wire it is a string. Decoded, it is never in the clear.
 */
const VariableValue = Schema.RedactedFromValue(
  Schema.String.check(
    Schema.isPattern(/^[^\r\n\0\p{Surrogate}]{0,65536}$/u, {
      expected: "at most 65,536 characters without line ends, NUL and halves of pairs",
    }),
  ),
);

/** The same value from a caller in process, which may have redacted it already. */
const GivenValue = Schema.Union([Schema.String, Schema.Redacted(Schema.String)]).pipe(
  Schema.decodeTo(
    VariableValue,
    SchemaTransformation.transform({
      decode: (value) => (Redacted.isRedacted(value) ? Redacted.value(value) : value),
      encode: (value): string | Redacted.Redacted<string> => value,
    }),
  ),
);

const changesOf = <S extends Schema.Constraint>(value: S) =>
  Schema.optionalKey(Schema.NullOr(Schema.Record(VariableName, Schema.NullOr(value))));

const installFields = {
  catalogId: Schema.String,
  name: Schema.optionalKey(Schema.NullOr(ServerName)),
};

export const ServerInstall = Schema.Struct({
  catalogId: installFields.catalogId,
  envValues: changesOf(VariableValue),
  name: installFields.name,
}).annotate({ identifier: "ServerInstall" });
export interface ServerInstall extends Schema.Schema.Type<typeof ServerInstall> {}

/** `ServerInstall` from a caller in process: values are strings or redacted strings. */
export const GivenInstall = Schema.Struct({ ...installFields, envValues: changesOf(GivenValue) });

const updateFields = {
  name: Schema.optionalKey(Schema.NullOr(ServerName)),
  /** Moves the server to the catalog's version. */
  version: Schema.optionalKey(Schema.NullOr(Schema.Literal("catalog"))),
};

/** Omitted fields stay as they are. Values are merged; null removes an optional one. */
export const ServerUpdate = Schema.Struct({
  envValues: changesOf(VariableValue),
  ...updateFields,
}).annotate({ identifier: "ServerUpdate" });
export interface ServerUpdate extends Schema.Schema.Type<typeof ServerUpdate> {}

/** `ServerUpdate` from a caller in process: values are strings or redacted strings. */
export const GivenUpdate = Schema.Struct({ ...updateFields, envValues: changesOf(GivenValue) });

/** Whether an agent may use a server, and which of its tools: null for all. */
export const AccessEntry = Schema.Struct({
  agentId: Schema.String,
  granted: Schema.Boolean,
  tools: Schema.NullOr(Schema.Array(Schema.String)),
}).annotate({ identifier: "AccessEntry" });
export interface AccessEntry extends Schema.Schema.Type<typeof AccessEntry> {}

/** What of the access to a server is changed. Agents that are not named keep theirs. */
export const AccessUpdate = Schema.Struct({
  entries: Schema.Array(
    Schema.Struct({
      agentId: HostId,
      granted: Schema.Boolean,
      tools: Schema.optionalKey(
        Schema.NullOr(
          Schema.Array(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(256))).check(
            Schema.isMaxLength(10_000),
          ),
        ),
      ),
    }),
  ).check(Schema.isMaxLength(10_000)),
}).annotate({ identifier: "AccessUpdate" });
export interface AccessUpdate extends Schema.Schema.Type<typeof AccessUpdate> {}
