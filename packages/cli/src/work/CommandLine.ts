import { basename } from "node:path";

/** The command of `quartermaster work -- COMMAND`. */

const placeholder = "{prompt}";

const shells =
  /^(?:sh|bash|dash|ash|zsh|ksh|mksh|fish|csh|tcsh|busybox|pwsh|powershell)(?:\.exe)?$/;

/**
 * The argument that a shell would execute if the prompt replaced it, if there is one. The text of an
 * issue comes from others: as a script it would run as the runner's user.
 */
export const scriptWithPrompt = (command: ReadonlyArray<string>): string | undefined =>
  command.find((argument, at) => {
    const before = command.slice(0, at);
    return (
      argument === placeholder &&
      /^-[A-Za-z]*c$|^-Command$/i.test(before.at(-1) ?? "") &&
      before.some((part) => shells.test(basename(part)))
    );
  });

/** The command with the prompt in place of each argument that is exactly `{prompt}`. */
export const withPrompt = (command: ReadonlyArray<string>, prompt: string): Array<string> =>
  // No argument of a program can have a NUL.
  command.map((part) => (part === placeholder ? prompt.replaceAll("\0", "\ufffd") : part));
