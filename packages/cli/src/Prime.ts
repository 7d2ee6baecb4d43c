import * as Output from "./Output.ts";

/** Instructions for the context of a model, under 1,000 bytes. */
const text = [
  "Quartermaster gives you issues. `quartermaster` uses your key (QM_KEY) at QM_URL.",
  "If QM_RUN_ID is set, a runner started you on QM_ISSUE_ID. Your exit code hands it in: 0 done, 75 not",
  "possible now, any other failed; the end of your output becomes a comment. Otherwise start with:",
  "",
  "  quartermaster work next --wait 55s   pick an issue up; prints RUN and ISSUE",
  "  quartermaster work turn --run RUN    between steps: continue or stop, new comments",
  "  quartermaster work finish --run RUN --outcome review --comment TEXT",
  "",
  "More commands:",
  "",
  "  issue show ISSUE      title, links, newest comments",
  "  issue comment ISSUE TEXT",
  "  issue create --project P TITLE   prints its key",
  "  issue link ISSUE blocked-by OTHER   OTHER is done first",
  "  ask QUESTION          a person decides; then exit with 0",
  "  tool search WORDS     then tool describe TOOL, tool call TOOL",
  "",
  "--json prints JSON. Exit codes: 1 usage, 2 refused, 3 not found, 4 not authenticated, 5 unreachable.",
  "After stop or a pause, stop working on the issue.",
];

/** `quartermaster prime`. */
export const run = () => Output.one(false, null, text);
