import { Schema } from "effect";
import { HostId } from "../Id.ts";
import * as Text from "../Text.ts";
import { TimestampInput } from "../Timestamp.ts";
import { ExternalRef } from "./HostFields.ts";
import { IssuePriority, IssueStatus } from "./Issue.ts";

/** The sort criteria of a list of issues. `IssueOrder` defines the orders. */
export const IssueSort = Schema.Literals(["created", "updated", "priority"]);
export type IssueSort = typeof IssueSort.Type;
export const SearchSort = Schema.Literals(["relevance", ...IssueSort.literals]);
export type SearchSort = typeof SearchSort.Type;

/**
 * A property that issues are filtered by. `question`: an open question. `files`: an attachment. `failure`: it is
 * paused because a run failed, or because too many did.
 */
export const IssueHas = Schema.Literals(["question", "files", "failure"]);
export type IssueHas = typeof IssueHas.Type;

const status = Text.alternatives(IssueStatus);
const priority = Text.alternatives(IssuePriority);
const ids = Text.alternatives(HostId);
const label = Text.alternatives(Text.trimmedBetween(1, 64));
const has = Text.alternatives(IssueHas);
/** Alternatives of which each text is one list. An issue needs a label of each. */
const labels = Schema.Array(label).check(
  Schema.makeFilter((lists) => lists.flat().length <= Text.maxAlternatives, {
    expected: `at most ${Text.maxAlternatives} labels`,
  }),
);

/**
 * The filters of a list of issues, all of which must match, and its order. A filter with several values
 * is a text with commas or an array, of at most 32 values; without a value nothing matches it.
 */
export const IssueFilter = Schema.Struct({
  status: Schema.optionalKey(status),
  priority: Schema.optionalKey(priority),
  assigneeId: Schema.optionalKey(ids),
  goalId: Schema.optionalKey(ids),
  label: Schema.optionalKey(labels),
  has: Schema.optionalKey(has),
  "not.status": Schema.optionalKey(status),
  "not.priority": Schema.optionalKey(priority),
  "not.assigneeId": Schema.optionalKey(ids),
  "not.goalId": Schema.optionalKey(ids),
  "not.label": Schema.optionalKey(label),
  "not.has": Schema.optionalKey(has),
  q: Schema.optionalKey(Text.between(0, 1_024)).annotateKey({
    description:
      "Only issues that have all words in key, title, labels, description, file names and comments, in any order and case. The last word may be a prefix. At most 1,024 characters and 32 distinct words.",
  }),
  updatedSince: Schema.optionalKey(TimestampInput).pipe(
    Schema.annotateEncoded({
      description:
        "Only issues that changed at this time or later. ISO 8601 with `Z` or an offset.",
    }),
  ),
  updatedBefore: Schema.optionalKey(TimestampInput).pipe(
    Schema.annotateEncoded({
      description: "Only issues that last changed before this time.",
    }),
  ),
  createdAfter: Schema.optionalKey(TimestampInput).pipe(
    Schema.annotateEncoded({
      description: "Only issues that were created after this time.",
    }),
  ),
  externalRef: Schema.optionalKey(ExternalRef).annotateKey({
    description: "Only issues with this external reference.",
  }),
  paused: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "True: only paused issues. False: all others.",
  }),
  ready: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "True: only issues that their agent would pick up now. False: all others.",
  }),
  silentAgent: Schema.optionalKey(Schema.Boolean).annotateKey({
    description:
      "True: only issues whose assigned agent has sent no heartbeat for 10 minutes. False: all others.",
  }),
  sort: Schema.optionalKey(SearchSort).annotateKey({
    description:
      "`relevance` (default with `q`): best match first. `created` (default without `q`) and `updated`: newest first. `priority`: most urgent first. `order=asc` reverses each. With `updated`, an issue that changes between two pages may be missed.",
  }),
});
export interface IssueFilter extends Schema.Schema.Type<typeof IssueFilter> {}

const about = <S extends Schema.Constraint>(schema: S, description: string) =>
  Schema.optionalKey(schema).annotateKey({ description });
const listOf = (noun: string, literals: ReadonlyArray<string>) => {
  const name = `(${literals.join("|")})`;
  return Schema.String.check(
    Schema.isPattern(new RegExp(`^${name}(,${name})*$`), {
      expected: `${noun} separated by commas: ${literals.join(", ")}`,
    }),
  );
};
const idList = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9._:-]+(,[A-Za-z0-9._:-]+)*$/, {
    expected: "ids of A-Z a-z 0-9 . _ : -, separated by commas",
  }),
);
const names = {
  status: IssueStatus.literals.join(", "),
  priority: IssuePriority.literals.join(", "),
};

/** The filters as URLs and tools take them: each list is one text. */
export const texts = {
  ...IssueFilter.fields,
  status: about(
    listOf("statuses", IssueStatus.literals),
    `Only issues with one of these statuses, separated by commas: ${names.status}.`,
  ),
  priority: about(
    listOf("priorities", IssuePriority.literals),
    `Only issues with one of these priorities, separated by commas: ${names.priority}.`,
  ),
  assigneeId: about(
    idList,
    "Only issues with one of these as `assignedAgentId` or `assigneeUserId`, separated by commas.",
  ),
  goalId: about(idList, "Only issues of one of these goals, separated by commas."),
  label: about(
    Schema.Array(Schema.String.check(Schema.isMinLength(1, { expected: "labels" }))),
    "Only issues with one of these labels, separated by commas; a comma in a label is `\\,`. Repeat the parameter for issues that also have one of other labels, up to 32 labels.",
  ),
  has: about(
    listOf("values", IssueHas.literals),
    "Only issues with one of these, separated by commas. `question`: an open question. `files`: an attachment. `failure`: a pause because a run failed or too many did.",
  ),
  "not.status": about(listOf("statuses", IssueStatus.literals), "No issues with these statuses."),
  "not.priority": about(
    listOf("priorities", IssuePriority.literals),
    "No issues with these priorities.",
  ),
  "not.assigneeId": about(idList, "No issues of these agents and users."),
  "not.goalId": about(idList, "No issues of these goals."),
  "not.label": about(Schema.String, "No issues with any of these labels."),
  "not.has": about(listOf("values", IssueHas.literals), "No issues with any of these."),
} as const;
