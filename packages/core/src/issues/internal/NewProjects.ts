import { Effect, Option } from "effect";
import { SecureRandom } from "effect/crypto";
import { CurrentPrincipal } from "../../access/Principal.ts";
import { UnknownReference } from "../../CommonErrors.ts";
import { CoreOptions } from "../../CoreOptions.ts";
import { Directory, isOwn } from "../../Directory.ts";
import type { ProjectRow } from "../Project.ts";
import * as ProjectPrefix from "../ProjectPrefix.ts";
import { ProjectStore } from "../ProjectStore.ts";

/** Projects come into being by their first issue, by their first setting, or by a request. */
export const make = Effect.gen(function* () {
  const store = yield* ProjectStore;
  const random = yield* SecureRandom.SecureRandom;
  // Its own directory says which projects exist.
  const hasDirectory = isOwn(yield* Directory);
  const isStrict = (yield* CoreOptions).strictProjects && !hasDirectory;

  /**
   * A prefix that no other project has or had. A principal that is bound to projects would learn from one that is made
   * from the id which others there are.
   */
  const unusedPrefix = Effect.fnUntraced(function* (projectId: string) {
    const { projects } = yield* CurrentPrincipal;
    for (let tries = 0; ; tries++) {
      const bytes = yield* random.randomBytes(5);
      const prefix =
        projects === null
          ? ProjectPrefix.fromId(
              projectId,
              tries,
              new DataView(bytes.buffer).getUint32(0) / 2 ** 32,
            )
          : ProjectPrefix.fromBytes(bytes);
      const owner = Option.getOrElse(yield* store.ownerOf(prefix), () => projectId);
      if (owner === projectId) return prefix;
    }
  });

  /** Inserts a project in the current transaction, with a new prefix unless it has one. */
  const insert = Effect.fnUntraced(function* (
    id: string,
    fields: {
      readonly name?: string | null | undefined;
      readonly prefix?: string | null | undefined;
    },
  ) {
    const project: ProjectRow = {
      id,
      name: fields.name ?? null,
      description: null,
      prefix: fields.prefix ?? (yield* unusedPrefix(id)),
    };
    yield* store.put(project);
    return project;
  });

  /** Returns the project of a new issue, and whether it is new. Creates it unless `CoreOptions.strictProjects` forbids that. */
  const ofIssue = Effect.fnUntraced(function* (id: string) {
    const found = yield* store.hold(id);
    if (Option.isSome(found)) return { project: found.value, isNew: false };
    if (isStrict) return yield* new UnknownReference({ field: "projectId", id });
    return { project: yield* insert(id, {}), isNew: true };
  });

  /** As `ofIssue` for an issue that moves. Creates the project only if the host's directory knows it. */
  const ofMove = Effect.fnUntraced(function* (id: string) {
    if (!hasDirectory && Option.isNone(yield* store.get(id))) {
      return yield* new UnknownReference({ field: "projectId", id });
    }
    return yield* ofIssue(id);
  });

  return { insert, isStrict, ofIssue, ofMove };
});
