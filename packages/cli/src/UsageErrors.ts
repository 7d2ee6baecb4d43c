import { Console, Effect } from "effect";
import { CliOutput, TerminalCapabilities } from "effect/cli";

/**
 * How help and wrong usage are printed:
 * - Help of a command does not list the global flags; the main help does.
 * - Wrong usage goes to stderr, and nothing to stdout: a program may read the output of a command that
 *   fails. The errors come without the whole help, which would push them off a terminal.
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
