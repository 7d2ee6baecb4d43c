import type { Effect } from "effect";

/** What the commands need of the embedded storage. The entry point provides it. */

export interface BackupOptions {
  readonly dataDir: string;
  readonly file: string;
  readonly version: string;
  readonly createdAt: string;
  readonly masterKeys: (() => Promise<string>) | null;
  readonly signWith: SigningKey | null;
}

/** A master key, which signs backups. */
export interface SigningKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** What a backup has. */
export interface Contents {
  readonly createdAt: string;
  readonly version: string;
  readonly issues: number;
  readonly attachments: number;
  readonly bytes: number;
  readonly newestEvent: number;
  readonly newestChange: string | null;
  readonly hasKeys: boolean;
  /** The master keys that its secrets are encrypted under. */
  readonly keyIds: ReadonlyArray<string>;
}

/** One sentence that also says what to do. */
export interface Failure {
  readonly message: string;
}

export type Backup = (options: BackupOptions) => Effect.Effect<Contents, Failure>;

export type Restore = (options: {
  readonly dataDir: string;
  readonly file: string;
  readonly keys: ReadonlyArray<SigningKey>;
}) => Effect.Effect<Restored, Failure>;

/** `valid`: a given key signed the backup. `unknownKey`: another one did. */
export interface Restored extends Contents {
  readonly signature: "valid" | "unknownKey" | "unsigned";
}
