import { Argument, Command, Flag } from "effect/cli";
import {
  connection,
  described,
  example,
  lazily,
  limitTo,
  listAlias,
  newAlias,
  oneOf,
  text,
} from "../Options.ts";

/** `quartermaster webhook ...`. The code of the commands is in `Webhooks.ts` and `Verify.ts`. */

const webhooks = () => import("./Webhooks.ts");

const webhook = Argument.String("webhook").pipe(
  Argument.withDescription("The id of the webhook, whk_..."),
);
const secretFile = text("secret-file", "A file with a secret of your own, whsec_...; - is stdin");
const project = text("project", "Only events of this project, as a Viewer of it sees them");
const kindsHelp =
  "Kinds of events, separated by commas, such as issue.created, issue.* or attention";
const format = oneOf(
  "format",
  ["standard", "text"],
  "The body: an event, or a sentence for a chat",
);

export const command = Command.make("webhook").pipe(
  described(
    "Send events to other programs and to chats",
    "Requires the role Admin, bound to no project; verify requires nothing.",
  ),
  Command.withSubcommands([
    Command.make(
      "list",
      connection,
      lazily(() => webhooks().then(({ list }) => list)),
    ).pipe(
      listAlias,
      described("List webhooks without their secrets"),
      example("webhook list", "List all webhooks"),
    ),
    Command.make(
      "create",
      {
        ...connection,
        name: Argument.String("name").pipe(Argument.withDescription("What the webhook is for")),
        target: Argument.String("target").pipe(
          Argument.withDescription("The URL to which events are sent; - reads it from stdin"),
        ),
        kinds: Flag.String("kinds").pipe(
          Flag.withDescription(`${kindsHelp}. Default: attention`),
          Flag.withDefault("attention"),
        ),
        project,
        format: format.pipe(Flag.withDefault("standard" as const)),
        secretFile,
      },
      lazily(() => webhooks().then(({ create }) => create)),
    ).pipe(
      newAlias,
      described("Create a webhook, and print its secret", "The secret is shown only once."),
      example(
        "webhook create Slack https://hooks.slack.com/services/T0/B0/x --format text",
        "Send what waits for a person to a channel of Slack",
      ),
    ),
    Command.make(
      "edit",
      {
        ...connection,
        webhook,
        name: text("name", "A new name"),
        target: text("target", "A new URL; - reads it from stdin"),
        kinds: text("kinds", kindsHelp),
        project,
        allProjects: Flag.Boolean("all-projects").pipe(
          Flag.withDescription("Events of all projects, and events without a project"),
          Flag.withDefault(false),
        ),
        format: Flag.optional(format),
        status: Flag.optional(
          oneOf("status", ["enabled", "disabled"], "Enabled starts with the next event"),
        ),
      },
      lazily(() => webhooks().then(({ edit }) => edit)),
    ).pipe(
      described("Change a webhook", "Also enables a webhook that is failing."),
      example("webhook edit whk_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA --status enabled", "Enable a webhook"),
    ),
    Command.make(
      "test",
      { ...connection, webhook },
      lazily(() => webhooks().then(({ test }) => test)),
    ).pipe(
      described("Send a test to a webhook", "Exits with 1 if the receiver does not accept it."),
      example("webhook test whk_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Send webhook.test once"),
    ),
    Command.make(
      "deliveries",
      {
        ...connection,
        webhook,
        status: Flag.optional(
          oneOf("status", ["pending", "delivered", "failed", "skipped"], "Only with this status"),
        ),
        event: text("event", "Only of the event with this id"),
        limit: limitTo(100),
      },
      lazily(() => webhooks().then(({ deliveries }) => deliveries)),
    ).pipe(
      described("List the deliveries of a webhook, newest first"),
      example(
        "webhook deliveries whk_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA --status failed",
        "List events that were not accepted",
      ),
    ),
    Command.make(
      "retry",
      {
        ...connection,
        webhook,
        delivery: Argument.String("delivery").pipe(
          Argument.withDescription("The id of the delivery, dlv_..."),
        ),
      },
      lazily(() => webhooks().then(({ retry }) => retry)),
    ).pipe(
      described("Send a delivery again, now"),
      example(
        "webhook retry whk_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA dlv_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA",
        "Retry one delivery",
      ),
    ),
    Command.make(
      "rotate",
      { ...connection, webhook, secretFile },
      lazily(() => webhooks().then(({ rotate }) => rotate)),
    ).pipe(
      described("Set a new secret, and print it", "Both secrets sign for 24 hours."),
      example("webhook rotate whk_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Rotate the secret"),
    ),
    Command.make(
      "delete",
      { ...connection, webhook },
      lazily(() => webhooks().then(({ remove }) => remove)),
    ).pipe(
      described("Delete a webhook with its deliveries"),
      example("webhook delete whk_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Delete a webhook"),
    ),
    Command.make(
      "verify",
      {
        secretFile: Flag.String("secret-file").pipe(
          Flag.withDescription("A file with the secret of the webhook, whsec_..."),
        ),
        id: Flag.String("id").pipe(Flag.withDescription("The header webhook-id")),
        timestamp: Flag.String("timestamp").pipe(
          Flag.withDescription("The header webhook-timestamp"),
        ),
        signature: Flag.String("signature").pipe(
          Flag.withDescription("The header webhook-signature"),
        ),
      },
      lazily(() => import("./Verify.ts").then(({ verify }) => verify)),
    ).pipe(
      described(
        "Check the signature of a request whose body is on stdin",
        "Exits with 0 if the request is from the webhook, and with 2 if it is not.",
      ),
      example(
        'webhook verify --secret-file secret --id "$ID" --timestamp "$TIMESTAMP" --signature "$SIGNATURE"',
        "Verify a request in a shell script",
      ),
    ),
  ]),
);
