#!/bin/sh
# The work on one issue. Its first line says how: "# Part 17 takes 2.4 s and hands itself in".
# Each record is one line at the end of one file, so the file orders the commands of all runners.
IFS=' ' read -r _ _ _ _ seconds how
printf 'start %s %s %s %s\n' "$QM_ISSUE_ID" "$QM_RUN_ID" "$$" "$PPID" >>"$DEMO_RECORDS"
sleep "$seconds"
printf 'end %s %s\n' "$QM_ISSUE_ID" "$QM_RUN_ID" >>"$DEMO_RECORDS"
case $how in
*itself*)
  exec node -e '
    const { QM_AGENT_ID, QM_KEY, QM_RUN_ID, QM_URL } = process.env;
    const url = `${QM_URL}/api/agents/${QM_AGENT_ID}/runs/${QM_RUN_ID}/finish`;
    const headers = { authorization: `Bearer ${QM_KEY}`, "content-type": "application/json" };
    const body = JSON.stringify({ outcome: "resolved", comment: "Handed in by the command." });
    fetch(url, { method: "POST", headers, body }).then(
      ({ ok }) => process.exit(ok ? 0 : 1),
      () => process.exit(1),
    );'
  ;;
esac
echo "Worked for $seconds s."
