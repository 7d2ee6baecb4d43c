import { Console, Effect } from "effect";
import { CliOutput, type HelpDoc, TerminalCapabilities } from "effect/cli";

/** The flags that many commands share. */
const shared = new Set(["url", "key-file", "json", "no-color"]);

const sharedHelp = [
  "FLAGS OF COMMANDS THAT CALL A SERVER",
  "  --url string         The URL of the server. Default: QM_URL, then the stored login",
  "  --key-file string    A file with the API key. Default: QM_KEY, then the stored login",
  "  --json               Print one JSON document, with the names of the HTTP API",
].join("\n");

/** The help of a command without the flags that the main help lists. */
const withoutShared = (doc: HelpDoc.HelpDoc): HelpDoc.HelpDoc => ({
  ...doc,
  flags: doc.flags.filter(({ name }) => !shared.has(name)),
});

/**
 * Prints help and usage errors:
 * - The help of a command omits global flags and the flags that many commands share; the main help
 *   lists them once.
 * - Usage errors go to stderr and nothing goes to stdout, which a program may read. They are
 *   printed without the whole help, which would scroll them off the terminal.
 */
export const layer = CliOutput.layerPresenter({
  present: Effect.fnUntraced(function* (event) {
    switch (event._tag) {
      case "Help": {
        const { canColor: colors } = yield* TerminalCapabilities.TerminalCapabilities;
        const { formatHelpDoc } = CliOutput.defaultFormatter({ colors, globalFlags: "none" });
        const [program = "quartermaster", ...path] = event.commandPath;
        if (path.length === 0) {
          return yield* Console.log(`${formatHelpDoc(event.helpDoc)}\n\n${sharedHelp}`);
        }
        const isGroup = (event.helpDoc.subcommands ?? []).length > 0;
        const more = `\`${program} --help\` explains the flags that all commands have.`;
        const text = formatHelpDoc(withoutShared(event.helpDoc));
        return yield* Console.log(isGroup ? text : `${text}\n\n${more}`);
      }
      case "InvalidInvocation":
        return yield* Console.error(
          [
            ...event.errors.map(({ message }) => message),
            `Usage: ${event.helpDoc.usage}`,
            `\`${event.commandPath.join(" ")} --help\` explains it.`,
          ].join("\n"),
        );
      default:
        return yield* CliOutput.defaultPresenter.present(event);
    }
  }),
});
