#!/bin/sh
# hook.sh EVENT HOST: a hook of Claude Code, Codex, Gemini CLI or opencode, with the host's JSON on stdin.
#
#   session  at the start, after a resume and after a compaction: prints the run, its issue and the loop
#   before   before a tool: refuses it if the run has to stop (before.sh)
#   after    after a tool: notes the run that the session holds, and renews it
#   stop     when the model is done: reminds it once to hand the run in
#   end      at the end of the session
#
# Without a key, a run or Node.js it does nothing. Always exits with 0. A start of Node.js takes 60 to 200 ms of
# the processor and this script 3 to 6, so Node.js starts only if there is something to do.
#
# A session has these files, which only its user can read; none has a key:
#
#   ID            <renewed> <run>, or "-" for none; after.mjs, stop.mjs and session.mjs write it
#   ID.state      <until> <run> go, or <until> <run> stop <sentence>; poll.mjs writes it every second
#   ID.poll       the process id of poll.mjs; the hook that starts it writes it
#   ID.stopped    exists once a tool was refused and the host ended its turn: poll.mjs tells the server
#   ID.briefed    exists since the model last got run, issue and loop; only for Gemini CLI
[ -n "$QM_KEY" ] || exit 0
umask 077
event=$1 host=$2

# Hosts write the id, and the name of a tool, before a tool's arguments.
head=$(dd bs=4096 count=1 2>/dev/null)
member() {
  case $head in *"\"$1\":"*) ;; *) return ;; esac
  value=${head#*\""$1"\":}
  value=${value#*\"}
  printf %s "${value%%\"*}"
}
id=$(member session_id)
case $id in '' | *[!A-Za-z0-9_-]*) exit 0 ;; esac
tool=$(member tool_name)
file=${XDG_CACHE_HOME:-$HOME/.cache}/quartermaster/hooks/$id

# The tools of the service by the name that the host gives them: `quartermaster` is the name of the server in the
# host's configuration. Tools of granted servers have "__" after their server's name.
case $host:$tool in
  claude-code:mcp__plugin_quartermaster_quartermaster__*) own=${tool#mcp__plugin_quartermaster_quartermaster__} ;;
  claude-code:mcp__quartermaster__* | codex:mcp__quartermaster__*) own=${tool#mcp__quartermaster__} ;;
  gemini:mcp_quartermaster_*) own=${tool#mcp_quartermaster_} ;;
  opencode:quartermaster_*) own=${tool#quartermaster_} ;;
  *) own= ;;
esac
case $own in *__*) own= ;; esac

# Ends the hook after it has read the rest of its input, so that no host sees a closed pipe.
leave() {
  cat >/dev/null
  exit 0
}

renewed= run=
[ ! -r "$file" ] || read -r renewed run _ <"$file"

case $event in
  before) . "${0%/*}/before.sh" ;;
  end)
    rm -f "$file.poll" "$file.state"
    leave
    ;;
  after)
    case $own in
      work_next | work_turn | work_finish) ;;
      *)
        [ "$run" != - ] || leave
        [ -n "$run$QM_RUN_ID" ] || leave
        [ "$(($(date +%s) - ${renewed:-0}))" -ge 30 ] || leave
        ;;
    esac
    ;;
  stop)
    [ -z "$QM_RUN_ID" ] || leave
    case $run in run_*) ;; *) leave ;; esac
    ;;
  session) [ -n "$run$QM_RUN_ID" ] || leave ;;
  *) leave ;;
esac

{
  printf %s "$head"
  cat
} | QM_HOST_PID=${QM_HOST_PID:-$PPID} node "${0%/*}/$event.mjs" "$host" 2>/dev/null
exit 0
