import type { Effect } from "effect";

/** What doctor reads of the embedded storage. The entry point provides it. */
export type Inspect = (dataDir: string, expiredBefore: string) => Effect.Effect<Inspection>;

export interface Inspection {
  readonly isRestoring: boolean;
  readonly database:
    | { readonly state: "missing" }
    | { readonly state: "unreadable"; readonly reason: string }
    | { readonly state: "newer"; readonly migrations: string }
    | { readonly state: "older"; readonly problems: ReadonlyArray<string> }
    | ({ readonly state: "current" } & Facts);
}

export interface Facts {
  readonly problems: ReadonlyArray<string>;
  readonly schema: ReadonlyArray<string>;
  readonly lost: { readonly noted: number; readonly found: number } | null;
  readonly newestChange: string | null;
  readonly attachments: ReadonlyArray<{ readonly id: string; readonly path: string }>;
  readonly expiredRuns: ReadonlyArray<{
    readonly runId: string;
    readonly issueId: string;
    readonly agentId: string;
    readonly leaseExpiresAt: string;
  }>;
  readonly exhausted: ReadonlyArray<{ readonly issueId: string; readonly attempts: number }>;
  readonly servers: ReadonlyArray<{
    readonly name: string;
    readonly status: string;
    readonly runtime: string;
  }>;
  readonly secrets: ReadonlyArray<Secret>;
}

export interface Secret {
  readonly serverId: string;
  readonly serverName: string;
  readonly name: string;
  readonly keyId: string;
  readonly nonce: string;
  readonly sealed: string;
}
