import { Argument, Command } from "effect/cli";
import * as ClientHelp from "./ClientHelp.ts";
import { connection, example, json, lazily, newKeyFile } from "./Options.ts";

/** Whose key the commands use. */

const address = Argument.String("url").pipe(Argument.withDescription("Where the server is"));

const login = Command.make(
  "login",
  { address, keyFile: newKeyFile, json },
  lazily(() => import("./Session.ts").then(({ login }) => login)),
).pipe(
  Command.withDescription(ClientHelp.login),
  Command.withShortDescription("Store a server and a key for the other commands"),
  example("login http://127.0.0.1:7420", "Store a server, and the key that you type"),
);

const logout = Command.make(
  "logout",
  { json },
  lazily(() => import("./Session.ts").then(({ logout }) => logout)),
).pipe(
  Command.withDescription(ClientHelp.logout),
  Command.withShortDescription("Forget the stored server and key"),
  example("logout", "Remove the stored key"),
);

const whoami = Command.make(
  "whoami",
  connection,
  lazily(() => import("./Session.ts").then(({ whoami }) => whoami)),
).pipe(
  Command.withDescription("Print whose key the commands use, its role and projects."),
  example("whoami", "Print whose key it is"),
);

const prime = Command.make(
  "prime",
  {},
  lazily(() => import("./Prime.ts").then(({ run }) => run)),
).pipe(
  Command.withDescription("Print what an agent has to know to use this program, under 1 KB."),
  Command.withShortDescription("Print instructions for an agent"),
  example("prime", "Print instructions for an agent"),
);

export const commands = [login, logout, whoami, prime] as const;
