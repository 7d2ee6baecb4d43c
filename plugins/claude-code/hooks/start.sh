#!/bin/sh
# Starts work.mjs, but only if it has something to do: a start of Node.js takes 60 to 200 ms of the
# processor, this script 2 to 4. Without a key, a run or Node.js it does nothing. Always exits with 0.
#
# The file of the session has one line: when the run was last renewed, in seconds, and the run, or "-"
# once the session has handed its run in. work.mjs writes it.
[ -n "$QM_KEY" ] || exit 0

if [ "$1" != note ] && [ -n "$CLAUDE_CODE_SESSION_ID" ]; then
  cache=${XDG_CACHE_HOME:-$HOME/.cache}/quartermaster/claude-code
  if read -r renewed run 2>/dev/null <"$cache/$CLAUDE_CODE_SESSION_ID"; then
    [ "$run" != - ] || exit 0
    [ "$1" = remind ] || [ "$(($(date +%s) - renewed))" -ge 30 ] || exit 0
  else
    [ -n "$QM_RUN_ID" ] || exit 0
  fi
fi

node "${0%/*}/work.mjs" "$1" 2>/dev/null
exit 0
