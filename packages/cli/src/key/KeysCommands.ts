import { Argument, Command, Flag } from "effect/cli";
import {
  connection,
  described,
  example,
  lazily,
  limit,
  listAlias,
  newAlias,
  text,
} from "../Options.ts";

/** `quartermaster key ...`. The code of the commands is in `Keys.ts`. */

const keys = () => import("./Keys.ts");

export const command = Command.make("key").pipe(
  described("Create, list and delete API keys", "Requires the role Admin."),
  Command.withSubcommands([
    Command.make(
      "create",
      {
        ...connection,
        name: Argument.String("name").pipe(Argument.withDescription("What the key is for")),
        role: Flag.Literals("role", ["Metrics", "Viewer", "Editor", "Admin", "Owner"]).pipe(
          Flag.withDescription("The role of the key. Default: Editor"),
          Flag.withDefault("Editor"),
        ),
        agent: text("agent", "The agent that the key acts as"),
        user: text("user", "The user that the key acts as"),
        project: Flag.String("project").pipe(
          Flag.withDescription("A project that the key can access; repeatable. Default: all"),
          Flag.atLeast(0),
        ),
        expires: text(
          "expires",
          "When the key expires: a duration such as 30d, or a time in ISO 8601",
        ),
      },
      lazily(() => keys().then(({ create }) => create)),
    ).pipe(
      newAlias,
      described("Create a key, and print it", "It is shown only once."),
      example("key create worker --agent agent-1 --expires 30d", "Create a key for an agent"),
    ),
    Command.make(
      "list",
      { ...connection, limit },
      lazily(() => keys().then(({ list }) => list)),
    ).pipe(
      listAlias,
      described("List keys without their secrets"),
      example("key list", "List all keys"),
    ),
    Command.make(
      "delete",
      {
        ...connection,
        key: Argument.String("key").pipe(Argument.withDescription("The id of the key, key_...")),
      },
      lazily(() => keys().then(({ remove }) => remove)),
    ).pipe(
      described("Delete a key", "It stops working immediately."),
      example("key delete key_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Delete a key"),
    ),
  ]),
);
