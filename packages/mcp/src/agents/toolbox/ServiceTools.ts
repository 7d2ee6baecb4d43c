import { Effect } from "effect";
import * as DirectoryTools from "./DirectoryTools.ts";
import * as EffectTools from "./EffectTools.ts";
import * as FileTools from "./FileTools.ts";
import * as IssueTools from "./IssueTools.ts";
import * as PlanTools from "./PlanTools.ts";
import * as QuestionTools from "./QuestionTools.ts";
import * as WorkTools from "./WorkTools.ts";

/** The service's own tools, in the order of the list. */
export const make = Effect.map(
  Effect.all([
    WorkTools.make,
    IssueTools.make,
    PlanTools.make,
    QuestionTools.make,
    EffectTools.make,
    FileTools.make,
    DirectoryTools.make,
  ]),
  (tools) => tools.flat(),
);
