import { Projects } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../runner/Reply.ts";
import * as Handlers from "./Handlers.ts";

export const layer = Handlers.layer(
  Effect.map(Projects.Projects, (projects) =>
    Handlers.of("projects", {
      put: ({ params, payload }) => Reply.ok(projects.put(params.projectId, payload)),
    }),
  ),
);
