import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import type { Clause } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";

export type Seqs = ReadonlyArray<number>;
export type Read<A> = Effect.Effect<A, SqlError.SqlError>;

/**
 * The issues of better tiers in a read of a tier. If they are `known`, the reader leaves them out, so that they may be
 * among the found ones.
 */
export type Better = "included" | "excluded" | "known";

/** The index of words for one search. The tier of an issue is the worst tier of the search's words in it. */
export interface TierIndex {
  /** The newest issues of a tier; in some projects, unless null. */
  readonly newest: (
    tier: number,
    better: Better,
    most: number,
    projects: ReadonlyArray<string> | null,
  ) => Read<Seqs>;
  /** The issues among `seqs` of a tier. */
  readonly among: (tier: number, better: Better, seqs: Seqs) => Read<Seqs>;
  /** The issues among `seqs` that have one of the words, in a tier or a better one. */
  readonly withWord: (tier: number, index: number, seqs: Seqs) => Read<Seqs>;
}

/** The tiers up to one. */
export const upTo = (tier: number): ReadonlyArray<number> =>
  Array.from({ length: tier + 1 }, (_, each) => each);

/** The first column of a statement's rows. */
export const seqsOf = (sql: SqlClient.SqlClient, statement: Clause): Read<Seqs> =>
  Effect.map(Prepared.run<readonly [seq: number]>(sql, statement), (rows) =>
    rows.map(([seq]) => seq),
  );
