import { Layer } from "effect";
import { Idempotency } from "./access/Idempotency.ts";
import { Keys } from "./access/Keys.ts";
import { Sessions } from "./access/Sessions.ts";
import { Agents } from "./agents/Agents.ts";
import { Runs } from "./agents/Runs.ts";
import { EventLog } from "./events/EventLog.ts";
import { Housekeeping } from "./Housekeeping.ts";
import { Attachments } from "./issues/Attachments.ts";
import { Comments } from "./issues/Comments.ts";
import { Issues } from "./issues/Issues.ts";
import { IssueView } from "./issues/IssueView.ts";
import { Links } from "./issues/Links.ts";
import { References } from "./issues/References.ts";
import { Timeline } from "./issues/Timeline.ts";
import { Transitions } from "./issues/Transitions.ts";

const internal = Layer.mergeAll(Transitions.layer, References.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Timeline.layer, Agents.layer, IssueView.layer)),
  Layer.provideMerge(Layer.mergeAll(EventLog.layer, Idempotency.layer)),
);

/**
 * Every service, wired. It requires the ports of the storage, the master keys and effect's
 * cryptography alone; `CoreOptions`, `Directory` and `AgentTools` may be set.
 */
export const layer = Housekeeping.layer.pipe(
  Layer.provideMerge(Issues.layer),
  Layer.provideMerge(Layer.mergeAll(Links.layer, Attachments.layer, Comments.layer, Runs.layer)),
  Layer.provideMerge(Sessions.layer),
  Layer.provideMerge(Keys.layer),
  Layer.provideMerge(internal),
);
