# Before a tool. Reads what poll.mjs wrote and starts no Node.js: it takes 3 to 6 ms. Without news the tool runs until
# the last known lease ends. The service's own tools always run: the server judges them, and work_turn is one.
[ -z "$own" ] || leave
[ -r "$file.state" ] || leave
read -r until ofRun verdict sentence <"$file.state"
[ "$ofRun" = "${run:-$QM_RUN_ID}" ] || leave
if [ "$verdict" != stop ]; then
  [ "$(date +%s)" -gt "$until" ] || leave
  sentence="No news from Quartermaster, and the lease of $ofRun has expired: another run may have its issue."
fi
reason="$sentence The tool did not run. Leave the issue as it is and call work_turn."

case $host in
  claude-code)
    printf '{"continue":false,"stopReason":"Quartermaster: %s","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"%s"}}' "$sentence" "$reason"
    ;;
  gemini)
    printf '{"continue":false,"stopReason":"Quartermaster: %s","decision":"deny","reason":"%s"}' "$sentence" "$reason"
    ;;
  *)
    # No end of the turn: the model reads the reason, and every tool but the service's own is refused until then.
    printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"%s"}}' "$reason"
    leave
    ;;
esac
# A subagent stops, and the main thread after its next tool.
case $head in *'"agent_id":'*) ;; *) : >"$file.stopped" ;; esac
leave
