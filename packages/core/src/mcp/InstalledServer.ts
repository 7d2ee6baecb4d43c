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
    description: "An estimate of what these tools cost a model; null after a failure.",
  }),
}).annotate({ identifier: "VerifyResult", description: "What a verification found." });
export interface VerifyResult extends Schema.Schema.Type<typeof VerifyResult> {}

export const LastVerification = Schema.Struct({
  ...VerifyResult.fields,
  verifiedAt: Timestamp.annotateKey({ description: "When the verification finished." }),
}).annotate({
  identifier: "LastVerification",
  description: "What the last verification found, and when.",
});
export interface LastVerification extends Schema.Schema.Type<typeof LastVerification> {}

/** An installed server, as every answer shows it: never with a value of its variables. */
export const InstalledServer = Schema.Struct({
  id: ServiceId.annotateKey({ description: "The installed server's id." }),
  name: Schema.String.annotateKey({
    description:
      "1 to 32 characters of `a-z 0-9 -`, unique. It is the first part of the names of the server's tools.",
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
      "`enabled`: agents with access may call its tools. `disabled`: no agent may. `error`: a verification failed, or the server failed too often.",
  }),
  version: Schema.NullOr(Schema.String).annotateKey({
    description: "The version of its package; null without one.",
  }),
  updateAvailable: Schema.Boolean.annotateKey({
    description: "Whether the catalog has another version, or an Owner changed the entry.",
  }),
  lastVerification: Schema.NullOr(LastVerification).annotateKey({
    description: "What the last verification found; null before the first one.",
  }),
  sandbox: Schema.NullOr(Schema.String).annotateKey({
    description: "What its program runs in; null for a remote server, or if the host lacks it.",
  }),
  env: Schema.Array(
    Schema.Struct({
      name: Schema.String.annotateKey({ description: "The variable's name." }),
      isSet: Schema.Boolean.annotateKey({ description: "Whether the variable has a value." }),
    }),
  ).annotateKey({ description: "The variables that the server reads, never with a value." }),
  toolsChanged: Schema.Boolean.annotateKey({
    description:
      "Whether a tool changed or is new since the last acceptance, and is withheld until a verification accepts it.",
  }),
  toolsDigest: Schema.NullOr(Schema.String).annotateKey({
    description:
      "SHA-256, in hex, of the names and digests of the tools that the server listed last; null before its first list. `verify?accept=` takes it.",
  }),
  tokens: Schema.Int.annotateKey({
    description: "An estimate of what the server's accepted tools cost an agent's model.",
  }),
  createdAt: Timestamp.annotateKey({ description: "When the server was installed." }),
  updatedAt: Timestamp.annotateKey({ description: "When the server changed last." }),
}).annotate({
  identifier: "InstalledServer",
  description: "An installed server, never with a value of its variables.",
});
export interface InstalledServer extends Schema.Schema.Type<typeof InstalledServer> {}

/**
 * An installed server as storage has it. `entry` is the catalog's entry at the time this version was
 * installed. `formerStatus` is the status before `error`. `generation` grows with each change that
 * makes live connections stale, on every node. `known` is true once its tools were listed. Storage
 * assigns `seq` in the order of installation.
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

/** A sealed value of a variable, or another sealed secret of the server (`oauth.tokens`). */
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
}).annotate({ identifier: "ServerInstall", description: "The body that installs a server." });
export interface ServerInstall extends Schema.Schema.Type<typeof ServerInstall> {}

/** `ServerInstall` from a caller in process: values are strings or redacted strings. */
export const GivenInstall = Schema.Struct({
  ...installFields,
  envValues: changesOf(GivenValue, installed),
});

const updateFields = {
  name: Schema.optionalKey(Schema.NullOr(ServerName)).annotateKey({
    description: "1 to 32 characters of `a-z 0-9 -`.",
  }),
  version: Schema.optionalKey(Schema.NullOr(Schema.Literal("catalog"))).annotateKey({
    description: "`catalog` moves to the catalog's version, if that verifies.",
  }),
};

export const ServerUpdate = Schema.Struct({
  envValues: changesOf(VariableValue, changed),
  ...updateFields,
}).annotate({
  identifier: "ServerUpdate",
  description: "The body that changes an installed server. Omitted fields stay as they are.",
});
export interface ServerUpdate extends Schema.Schema.Type<typeof ServerUpdate> {}

/** `ServerUpdate` from a caller in process: values are strings or redacted strings. */
export const GivenUpdate = Schema.Struct({
  ...updateFields,
  envValues: changesOf(GivenValue, changed),
});

/** Whether an agent may use a server, and which of its tools: null for all. */
export const AccessEntry = Schema.Struct({
  agentId: Schema.String.annotateKey({ description: "The agent's id." }),
  granted: Schema.Boolean.annotateKey({ description: "Whether the agent may use the server." }),
  tools: Schema.NullOr(Schema.Array(Schema.String)).annotateKey({
    description: "Names of the tools that the agent may use, at their server; null for all.",
  }),
  tokens: Schema.Int.annotateKey({
    description:
      "An estimate of what the tools that the agent may use of this server cost its model; 0 without access.",
  }),
}).annotate({
  identifier: "AccessEntry",
  description: "Whether an agent may use a server, and which of its tools.",
});
export interface AccessEntry extends Schema.Schema.Type<typeof AccessEntry> {}

/** An access entry as storage has it. */
export type StoredAccess = Omit<AccessEntry, "tokens">;

/** What of the access to a server is changed. Agents that are not named keep theirs. */
export const AccessUpdate = Schema.Struct({
  entries: Schema.Array(
    Schema.Struct({
      agentId: HostId.annotateKey({ description: "The agent's id." }),
      granted: Schema.Boolean.annotateKey({ description: "Whether the agent may use the server." }),
      tools: Schema.optionalKey(
        Schema.NullOr(
          Schema.Array(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(256))).check(
            Schema.isMaxLength(10_000),
          ),
        ),
      ).annotateKey({
        description:
          "Names of the tools that the agent may use, at their server; null for all. Omitted: left alone.",
      }),
    }),
  )
    .check(Schema.isMaxLength(10_000))
    .annotateKey({
      description: "Up to 10,000 agents. Agents that are not listed keep their access.",
    }),
}).annotate({
  identifier: "AccessUpdate",
  description: "The body that grants and revokes access to a server.",
});
export interface AccessUpdate extends Schema.Schema.Type<typeof AccessUpdate> {}
