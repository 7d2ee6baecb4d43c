import { Console } from "effect";
import { CliOutput } from "effect/cli";

/**
 * Prints wrong usage to stderr, and to stdout nothing: the output of a command that fails may be read by a program. The
 * errors come without the whole help, which would push them off a terminal.
 */
export const layer = CliOutput.layerPresenter({
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Console.error(
          [
            ...event.errors.map(({ message }) => message),
            `Usage: ${event.helpDoc.usage}`,
            `\`${event.commandPath.join(" ")} --help\` explains it.`,
          ].join("\n"),
        )
      : CliOutput.defaultPresenter.present(event),
});
