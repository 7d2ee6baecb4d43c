import { Console, Effect } from "effect";
import { CliOutput, TerminalCapabilities } from "effect/cli";

/**
 * Prints help and usage errors:
 * - The help of a command omits the global flags; the main help lists them.
 * - Usage errors go to stderr and nothing goes to stdout, which a program may read. They are
 *   printed without the whole help, which would scroll them off the terminal.
 */
export const layer = CliOutput.layerPresenter({
  present: Effect.fnUntraced(function* (event) {
    switch (event._tag) {
      case "Help": {
        const { canColor: colors } = yield* TerminalCapabilities.TerminalCapabilities;
        const formatter = CliOutput.defaultFormatter({ colors, globalFlags: "none" });
        return yield* Console.log(formatter.formatHelpDoc(event.helpDoc));
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
