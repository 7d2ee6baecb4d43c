import { basename } from "node:path";

/** The command line of `quartermaster work -- COMMAND`. */

const placeholder = "{prompt}";

const shells =
  /^(?:sh|bash|dash|ash|zsh|ksh|mksh|fish|csh|tcsh|busybox|pwsh|powershell)(?:\.exe)?$/;

/**
 * The argument that a shell would execute after the prompt replaced it; undefined if there is none.
 * Other people write the text of an issue: as part of a script, it would run with the runner's
 * permissions.
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

/** Replaces each argument that is exactly `{prompt}` with the prompt. */
export const withPrompt = (command: ReadonlyArray<string>, prompt: string): Array<string> =>
  // Arguments of a program cannot contain NUL.
  command.map((part) => (part === placeholder ? prompt.replaceAll("\0", "\ufffd") : part));
