import * as Output from "./Output.ts";

/** For the context of a model: under 1,024 bytes. */
const text = [
  "Quartermaster gives you issues to execute. `quartermaster` acts with your key (QM_KEY) at QM_URL.",
  "A runner that started you set QM_ISSUE_ID, and hands your work in by your exit code: 0 done, 75 not",
  "possible now, any other failed. The end of your output becomes a comment on the issue.",
  "",
  "  quartermaster whoami                                  your agent id and projects",
  "  quartermaster issue show ISSUE                        title, links, newest comments",
  "  quartermaster issue comment ISSUE TEXT                report a result or a problem",
  "  quartermaster issue create --project P TITLE          a new issue; prints its id",
  "  quartermaster issue link ISSUE blocked-by OTHER       OTHER has to be resolved first",
  "  quartermaster issue why ISSUE                         why it does not start",
  "",
  "Add --json to read results. Exit codes: 1 usage, 2 refused, 3 not found, 4 key, 5 server away.",
  "If an issue is paused, stop working on it.",
];

/** `quartermaster prime`. */
export const run = () => Output.one(false, null, text);
