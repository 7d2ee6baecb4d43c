import { describe } from "@effect/vitest";
import type { Layer } from "effect";
import type { Storage } from "../Storage.ts";
import { block } from "../Suite.ts";
import * as IssueClaim from "./issues/IssueClaim.ts";
import * as IssueCounts from "./issues/IssueCounts.ts";
import * as IssueDerivedLists from "./issues/IssueDerivedLists.ts";
import * as IssueFacts from "./issues/IssueFacts.ts";
import * as IssueFilters from "./issues/IssueFilters.ts";
import * as IssueKeyWords from "./issues/IssueKeyWords.ts";
import * as IssueList from "./issues/IssueList.ts";
import * as IssuePauses from "./issues/IssuePauses.ts";
import * as IssueRanking from "./issues/IssueRanking.ts";
import * as IssueRelocation from "./issues/IssueRelocation.ts";
import * as IssueRows from "./issues/IssueRows.ts";
import * as IssueSearch from "./issues/IssueSearch.ts";
import * as IssueSurroundings from "./issues/IssueSurroundings.ts";
import * as IssueWaiting from "./issues/IssueWaiting.ts";

/** The requirements of every `IssueStore`, together with the stores of comments, links and runs. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`IssueStore: ${name}`, () => {
    block("rows", storage, IssueRows.tests);
    block("relocation", storage, IssueRelocation.tests);
    block("list", storage, IssueList.tests);
    block("filters", storage, IssueFilters.tests);
    block("derived lists", storage, IssueDerivedLists.tests);
    block("full text", storage, IssueSearch.tests);
    block("ranking", storage, IssueRanking.tests);
    block("key words", storage, IssueKeyWords.tests);
    block("counts", storage, IssueCounts.tests);
    block("facts", storage, IssueFacts.tests);
    block("claimable", storage, IssueClaim.tests);
    block("pauses", storage, IssuePauses.tests);
    block("waiting", storage, IssueWaiting.tests);
    block("surroundings", storage, IssueSurroundings.tests);
  });
};
