import { Argument, Command, Flag } from "effect/cli";
import {
  connection,
  described,
  example,
  issue,
  lazily,
  limit,
  listAlias,
  oneOf,
} from "../Options.ts";

/** `quartermaster effects ...`. The code of the commands is in `Effects.ts`. */

const effects = () => import("./Effects.ts");

export const command = Command.make("effects").pipe(
  described("List, settle and reset the calls of tools that happen once for an issue"),
  Command.withSubcommands([
    Command.make(
      "list",
      { ...connection, issue, limit },
      lazily(() => effects().then(({ list }) => list)),
    ).pipe(
      listAlias,
      described("List the effects of an issue, newest first"),
      example("effects list SHOP-142", "List the effects of an issue, with their states"),
    ),
    Command.make(
      "settle",
      {
        ...connection,
        issue,
        call: Argument.String("call").pipe(
          Argument.withDescription("The id of the call, call_..."),
        ),
        happened: oneOf("happened", ["true", "false"], "Whether the effect took place"),
        note: Flag.String("note").pipe(
          Flag.withDescription("The evidence, which equal calls get as their result; - is stdin"),
        ),
      },
      lazily(() => effects().then(({ settle }) => settle)),
    ).pipe(
      described(
        "Say whether an effect whose reply was lost took place",
        "If it did, equal calls get the note as their result; otherwise an equal call is sent again.",
      ),
      example(
        'effects settle SHOP-142 call_01JD8Q7ZC6W3J0Z1T9Y4M2K5XB --happened true --note "Invoice 17 is paid."',
        "Settle an effect that took place",
      ),
    ),
    Command.make(
      "reset",
      { ...connection, issue },
      lazily(() => effects().then(({ reset }) => reset)),
    ).pipe(
      described(
        "Start over with the effects of an issue",
        "Calls that happened are sent again when an agent repeats them. Effects that are in flight or unknown stay in the way.",
      ),
      example("effects reset SHOP-142", "Let an agent do everything again"),
    ),
  ]),
);
