import { Argument, Command } from "effect/cli";
import * as ClientHelp from "../ClientHelp.ts";
import { connection, described, example, json, lazily, newKeyFile } from "../Options.ts";

/** The commands `login`, `logout`, `whoami` and `prime`. */

const address = Argument.String("url").pipe(Argument.withDescription("The URL of the server"));

const login = Command.make(
  "login",
  { address, keyFile: newKeyFile, json },
  lazily(() => import("./Login.ts").then(({ login }) => login)),
).pipe(
  Command.withDescription(ClientHelp.login),
  Command.withShortDescription("Store a server and a key for the other commands"),
  example("login http://127.0.0.1:7420", "Log in with a key that you type"),
);

const logout = Command.make(
  "logout",
  { json },
  lazily(() => import("./Login.ts").then(({ logout }) => logout)),
).pipe(
  Command.withDescription(ClientHelp.logout),
  Command.withShortDescription("Remove the stored server and key"),
  example("logout", "Remove the stored key"),
);

const whoami = Command.make(
  "whoami",
  connection,
  lazily(() => import("./Login.ts").then(({ whoami }) => whoami)),
).pipe(
  described("Print the owner, role and projects of the key that the commands use"),
  example("whoami", "Print who you are"),
);

const prime = Command.make(
  "prime",
  {},
  lazily(() => import("../Prime.ts").then(({ run }) => run)),
).pipe(
  described("Print instructions for an agent", "They explain this program in less than 1 KB."),
  example("prime", "Print instructions for an agent"),
);

export const commands = [login, logout, whoami, prime] as const;
