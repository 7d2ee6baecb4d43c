import { Layer } from "effect";
import { Attachments } from "./Attachments.ts";
import { Comments } from "./Comments.ts";
import { LinkChanges } from "./internal/LinkChanges.ts";
import { References } from "./internal/References.ts";
import { Issues } from "./Issues.ts";
import { IssueView } from "./IssueView.ts";
import { LeaseExpiry } from "./LeaseExpiry.ts";
import { Links } from "./Links.ts";
import { Projects } from "./Projects.ts";
import { QuestionExpiry } from "./QuestionExpiry.ts";
import { Questions } from "./Questions.ts";
import { SavedViews } from "./SavedViews.ts";
import { Timeline } from "./Timeline.ts";
import { Transitions } from "./Transitions.ts";

/** The services of issues, with the services that the room of runs uses inside its transactions. */
export const layer = Issues.layerNoDeps.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      Attachments.layerNoDeps,
      Comments.layerNoDeps,
      Links.layerNoDeps,
      Projects.layerNoDeps,
      Questions.layerNoDeps,
      SavedViews.layerNoDeps,
    ),
  ),
  Layer.provide(LinkChanges.layerNoDeps),
  Layer.provideMerge(Layer.merge(LeaseExpiry.layerNoDeps, QuestionExpiry.layerNoDeps)),
  Layer.provide(References.layerNoDeps),
  Layer.provideMerge(Transitions.layerNoDeps),
  Layer.provideMerge(Layer.merge(Timeline.layerNoDeps, IssueView.layer)),
);
