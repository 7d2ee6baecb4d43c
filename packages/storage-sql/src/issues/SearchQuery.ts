import { IssueKeys, Matching } from "@quartermaster/core";
import { Effect } from "effect";
import type { SqlClient, SqlError } from "effect/sql";
import { always, among, and, clause, limit, numbers } from "../sql/Clause.ts";
import * as Prepared from "../sql/Prepared.ts";
import * as ListOrder from "./ListOrder.ts";
import * as SearchTiers from "./SearchTiers.ts";
import { type Read, type Seqs, seqsOf } from "./TierIndex.ts";

/**
 * Finds the issues that have all words and meet other conditions. If the conditions leave few issues,
 * the words are looked for in those; otherwise the index gives the newest issues that have the words,
 * tier by tier, and the conditions are checked on them.
 */

type Sql = SqlClient.SqlClient;

/** The place of an issue, and its tier. */
export type Place = readonly [seq: number, tier: number];

export interface Found {
  readonly places: ReadonlyArray<Place>;
  readonly isTruncated: boolean;
  /** The issues whose key was looked for, or a start of it. */
  readonly keyed: ReadonlySet<number>;
}

/** The tiers of an exact key, and of the start of a key. */
const [exactly, starting] = [-2, -1];

const withKey = (sql: Sql, { issueId }: SearchTiers.Search): Read<Seqs> =>
  issueId === undefined
    ? Effect.succeed([])
    : seqsOf(sql, clause`SELECT seq FROM issues WHERE id = ${issueId}`);

/** The issues whose keys start with a key, with the largest numbers first. */
const withStart = Effect.fnUntraced(function* (
  sql: Sql,
  { keyStart }: SearchTiers.Search,
): Effect.fn.Return<Seqs, SqlError.SqlError> {
  const found: Array<number> = [];
  const ranges = keyStart === undefined ? [] : IssueKeys.rangesOf(keyStart.number);
  for (const [from, to] of ranges) {
    const inRange = clause`SELECT issues.seq FROM project_prefixes
      JOIN issues ON issues.project_id = project_prefixes.project_id
      WHERE project_prefixes.prefix = ${keyStart?.prefix ?? ""} AND issues.number > 0
        AND issues.number BETWEEN ${from} AND ${to}
      ORDER BY issues.number DESC ${limit(Matching.mostCandidates + 1 - found.length)}`;
    found.push(...(yield* seqsOf(sql, inRange)));
    if (found.length > Matching.mostCandidates) break;
  }
  return found;
});

/** The places among `seqs` that meet the conditions, in order. */
const placesOf = (
  sql: Sql,
  { filter = always, projects, sort }: SearchTiers.Search,
  seqs: Seqs,
  tier: number,
  slice: ListOrder.FoundSlice,
): Read<ReadonlyArray<Place>> =>
  seqs.length === 0
    ? Effect.succeed([])
    : Effect.map(
        Prepared.run<ListOrder.Place>(
          sql,
          clause`SELECT ${ListOrder.placeOfFound(sort)} FROM issues
            WHERE issues.seq IN ${numbers(seqs)} AND ${and([
              among("+issues.project_id", projects),
              filter,
              ListOrder.beyondFound(sort, slice, tier),
            ])} ${ListOrder.orderedFound(sort, slice)}`,
        ),
        (rows) => rows.map(([seq]) => [seq, tier] as const),
      );

/** Finds issues in the order of the slice and up to its limit. */
export const find = Effect.fnUntraced(function* (
  sql: Sql,
  search: SearchTiers.Search,
  slice: ListOrder.FoundSlice,
): Effect.fn.Return<Found, SqlError.SqlError> {
  if (search.projects?.length === 0) return { places: [], isTruncated: false, keyed: new Set() };
  const exact = yield* withKey(sql, search);
  const started = (yield* withStart(sql, search)).filter((seq) => !exact.includes(seq));
  const cutStarted = started.slice(0, Matching.mostCandidates);
  const isCut = cutStarted.length < started.length;
  const keyed = new Set([...exact, ...cutStarted]);
  if (search.sort !== "relevance") {
    const { isTruncated, seqs } = yield* SearchTiers.inAny(sql, search);
    const all = [...new Set([...keyed, ...seqs])];
    const places = yield* placesOf(sql, search, all, 0, slice);
    return { places, isTruncated: isTruncated || isCut, keyed };
  }
  const ascends = slice.order === "asc";
  const places: Array<Place> = [];
  let isAnyTruncated = isCut;
  const best = [exactly, starting, ...Matching.tiers.keys()];
  const tiers = ascends ? best.toReversed() : best;
  const start = slice.after === null ? 0 : tiers.indexOf(slice.after.tier);
  const read = SearchTiers.reader(sql, search);
  for (const tier of tiers.slice(start)) {
    const rest = { ...slice, limit: slice.limit - places.length };
    let seqs = tier === exactly ? exact : cutStarted;
    if (tier >= 0) {
      const found = yield* read(tier);
      isAnyTruncated ||= found.isTruncated;
      seqs = found.seqs.filter((seq) => !keyed.has(seq));
    }
    places.push(...(yield* placesOf(sql, search, seqs, tier, rest)));
    if (places.length >= slice.limit) break;
  }
  return { places, isTruncated: isAnyTruncated, keyed };
});
