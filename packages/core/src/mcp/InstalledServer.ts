import { Redacted, Schema, SchemaTransformation } from "effect";
import { ServiceId } from "../Id.ts";
import type { SealedValue } from "../secrets/SealedValue.ts";
import { Timestamp } from "../Timestamp.ts";
import * as CallSettings from "./CallSettings.ts";
import { type CatalogEntry, Transport, VariableName } from "./CatalogEntry.ts";
import { Instructions, type PinnedInstructions } from "./Instructions.ts";
import * as Once from "./Once.ts";
import { Outage } from "./Outage.ts";
import * as ServerLimits from "./ServerLimits.ts";

/** `error` if a verification failed, or if the running server failed too often. */
export const ServerStatus = Schema.Literals(["enabled", "disabled", "error"]);
export type ServerStatus = typeof ServerStatus.Type;

/**
 * The result of a verification. `capabilities` are the names of the tools, in the server's order.
 */
export const VerifyResult = Schema.Struct({
  status: Schema.Literals(["ok", "error"]).annotateKey({
    description: "`ok` if the server started and listed its tools, otherwise `error`.",
  }),
  details: Schema.String.annotateKey({
    description:
      "The response time in milliseconds and the number of tools, or the reason of the failure.",
  }),
  capabilities: Schema.optionalKey(Schema.Array(Schema.String)).annotateKey({
    description: "Names of the tools, in the server's order; missing after a failure.",
  }),
  tokens: Schema.NullOr(Schema.Int).annotateKey({
    description:
      "Estimated tokens that the definitions of these tools cost a model; null after a failure.",
  }),
}).annotate({ identifier: "VerifyResult", description: "The result of a verification." });
export interface VerifyResult extends Schema.Schema.Type<typeof VerifyResult> {}

export const LastVerification = Schema.Struct({
  ...VerifyResult.fields,
  verifiedAt: Timestamp.annotateKey({ description: "When the verification finished." }),
}).annotate({
  identifier: "LastVerification",
  description: "The result and time of the last verification.",
});
export interface LastVerification extends Schema.Schema.Type<typeof LastVerification> {}

/** An installed server, in the form of every response, without the values of its variables. */
export const InstalledServer = Schema.Struct({
  id: ServiceId.annotateKey({ description: "The installed server's id." }),
  name: Schema.String.annotateKey({
    description:
      "1 to 32 characters of `a-z 0-9 -`, unique. The names of the server's tools start with it.",
  }),
  catalogId: Schema.String.annotateKey({
    description: "The catalog entry that the server was installed from.",
  }),
  transport: Transport.annotateKey({
    description:
      "`stdio` for a program on the host, `http` (Streamable HTTP) or `sse` for a remote server.",
  }),
  status: ServerStatus.annotateKey({
    description:
      "`enabled`: agents with access can call its tools. `disabled`: no agent can. `error`: a verification failed, or the server failed too often; a server that was enabled before is retried automatically.",
  }),
  outage: Schema.NullOr(Outage).annotateKey({
    description: "The start and reason of the status `error`; null in any other status.",
  }),
  version: Schema.NullOr(Schema.String).annotateKey({
    description: "The version of the package; null if the server has none.",
  }),
  updateAvailable: Schema.Boolean.annotateKey({
    description: "Whether the catalog has another version, or an Owner changed the entry.",
  }),
  lastVerification: Schema.NullOr(LastVerification).annotateKey({
    description: "The last verification; null before the first one.",
  }),
  sandbox: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The sandbox in which the program runs; null for a remote server, or if the host does not have the sandbox.",
  }),
  env: Schema.Array(
    Schema.Struct({
      name: Schema.String.annotateKey({ description: "The variable's name." }),
      isSet: Schema.Boolean.annotateKey({ description: "Whether the variable has a value." }),
    }),
  ).annotateKey({ description: "The variables that the server reads, without their values." }),
  toolsChanged: Schema.Boolean.annotateKey({
    description:
      "Whether a tool or the instructions changed or are new since the last acceptance, and are withheld until they are accepted.",
  }),
  toolsDigest: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The SHA-256 hash, in hex, of the names and digests of the tools that the server listed last, and of its instructions; null before the first list. Pass it to `verify?accept=`.",
  }),
  instructions: Schema.NullOr(Instructions).annotateKey({
    description: "The server's instructions to models about its tools; null if it has none.",
  }),
  tokens: Schema.Int.annotateKey({
    description:
      "Estimated tokens that the definitions of the server's accepted tools cost an agent's model.",
  }),
  ...ServerLimits.rendered,
  ...Once.rendered,
  ...CallSettings.rendered,
  createdAt: Timestamp.annotateKey({ description: "When the server was installed." }),
  updatedAt: Timestamp.annotateKey({ description: "When the server last changed." }),
}).annotate({
  identifier: "InstalledServer",
  description: "An installed server, without the values of its variables.",
});
export interface InstalledServer extends Schema.Schema.Type<typeof InstalledServer> {}

/**
 * The stored form of an installed server. `entry` is the catalog's entry at the time this version
 * was installed. `formerStatus` is the status before `error`. `outage` is null unless the status is
 * `error`. `generation` grows with each change that makes live connections stale, on every node.
 * `known` is true once its tools were listed. Storage assigns `seq` in the order of installation.
 */
export interface InstalledServerRow
  extends ServerLimits.ServerLimits, Once.OnceSettings, CallSettings.CallSettings {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly entry: CatalogEntry;
  readonly status: ServerStatus;
  readonly formerStatus: "enabled" | "disabled";
  readonly outage: Outage | null;
  readonly lastVerification: LastVerification | null;
  readonly known: boolean;
  /** Whether it has resources; null before the first connection. */
  readonly hasResources: boolean | null;
  readonly instructions: PinnedInstructions;
  readonly toolsChanged: boolean;
  readonly generation: number;
  /** Grows with every write of its tools. */
  readonly toolsVersion: number;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** A sealed value of a variable, or another sealed secret of the server (`oauth.tokens`). */
export interface SecretRow extends SealedValue {
  readonly serverId: string;
  readonly name: string;
}

const ServerName = Schema.String.check(
  Schema.isPattern(/^[a-z0-9-]{1,32}$/, { expected: "1 to 32 characters of a-z 0-9 -" }),
);

/**
 * The value of a variable. It contains no line end and no NUL, and every encoding can represent it.
 * On the wire it is a string; decoded, it is redacted.
 */
const VariableValue = Schema.RedactedFromValue(
  Schema.String.check(
    Schema.isPattern(/^[^\r\n\0\p{Surrogate}]{0,65536}$/u, {
      expected: "at most 65,536 characters without line ends, NUL and halves of pairs",
    }),
  ),
);

/** The value of a variable from a caller in the same process, which may already be redacted. */
const GivenValue = Schema.Union([Schema.String, Schema.Redacted(Schema.String)]).pipe(
  Schema.decodeTo(
    VariableValue,
    SchemaTransformation.transform({
      decode: (value) => (Redacted.isRedacted(value) ? Redacted.value(value) : value),
      encode: (value): string | Redacted.Redacted<string> => value,
    }),
  ),
);

const changesOf = <S extends Schema.Constraint>(value: S, description: string) =>
  Schema.optionalKey(Schema.NullOr(Schema.Record(VariableName, Schema.NullOr(value)))).annotateKey({
    description,
  });

const installed =
  "Values by variable name, each up to 65,536 characters without line ends. Null leaves a variable without a value.";
const changed =
  "Values by variable name, each up to 65,536 characters without line ends. They are merged with the stored ones; null removes an optional value.";

const installFields = {
  catalogId: Schema.String.annotateKey({ description: "The catalog entry to install." }),
  name: Schema.optionalKey(Schema.NullOr(ServerName)).annotateKey({
    description:
      "1 to 32 characters of `a-z 0-9 -`. Default: the entry's id, with a number if that is taken.",
  }),
};

export const ServerInstall = Schema.Struct({
  catalogId: installFields.catalogId,
  envValues: changesOf(VariableValue, installed),
  name: installFields.name,
  ...ServerLimits.fields,
  ...Once.fields,
  ...CallSettings.fields,
}).annotate({
  identifier: "ServerInstall",
  description: "The body of a request that installs a server.",
});
export interface ServerInstall extends Schema.Schema.Type<typeof ServerInstall> {}

/** `ServerInstall` from a caller in the same process: values are strings or redacted strings. */
export const GivenInstall = Schema.Struct({
  ...installFields,
  ...ServerLimits.fields,
  ...Once.fields,
  ...CallSettings.fields,
  envValues: changesOf(GivenValue, installed),
});

const updateFields = {
  name: Schema.optionalKey(Schema.NullOr(ServerName)).annotateKey({
    description: "1 to 32 characters of `a-z 0-9 -`.",
  }),
  version: Schema.optionalKey(Schema.NullOr(Schema.Literal("catalog"))).annotateKey({
    description:
      "`catalog` updates to the catalog's version if the verification of that version succeeds.",
  }),
  ...ServerLimits.fields,
  ...Once.fields,
  ...CallSettings.fields,
};

export const ServerUpdate = Schema.Struct({
  envValues: changesOf(VariableValue, changed),
  ...updateFields,
}).annotate({
  identifier: "ServerUpdate",
  description:
    "The body of a request that changes an installed server. Omitted fields do not change.",
});
export interface ServerUpdate extends Schema.Schema.Type<typeof ServerUpdate> {}

/** `ServerUpdate` from a caller in the same process: values are strings or redacted strings. */
export const GivenUpdate = Schema.Struct({
  ...updateFields,
  envValues: changesOf(GivenValue, changed),
});
