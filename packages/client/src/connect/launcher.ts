/**
 * The lines of shell between a coding agent and the program of `beak connect`. A coding agent runs its command when a hook is not found, is killed
 * or prints anything else than an answer, so each of these ends with exit code 2 and a sentence.
 */
import type { Layout, ToolName } from './layout'

/** The events about a call, whose answers decide. */
const callEvents = ['PreToolUse', 'PermissionRequest'] as const
export type CallEvent = (typeof callEvents)[number]
/** The events of Claude Code after which a question beside its dialog may have been answered there. */
const laterEvents = ['PostToolUse', 'UserPromptSubmit', 'Stop', 'SessionEnd'] as const

/** The events of each coding agent for which a hook is installed. */
export const eventsOf = {
  claude: ['SessionStart', ...callEvents, ...laterEvents],
  codex: ['SessionStart', ...callEvents],
} as const
export type EventName = (typeof eventsOf)['claude'][number]

export const isAboutCall = (event: EventName): event is CallEvent => callEvents.some((name) => name === event)

/** Returns a text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replace(/'/g, "'\\''")}'`

/** Returns the launcher: it asks the helper whether a call is harmless, and the program in every other case. */
export function launcherText(layout: Layout, node: string, program: string): string {
  return `#!/bin/sh
# Written by "beak connect". "beak disconnect" removes it.
# A helper that runs already answers for harmless calls, which saves the start of Node.js. Its answer counts only when it knows the secret that
# the running helper has written. In all other cases the program decides.
tool=$1 event=$2
run=${quoted(layout.run)}
answer_by_program() {
  exec ${quoted(node)} ${quoted(program)} hook "$tool" "$event"
}
if [ "$event" = PreToolUse ] && [ -O "$run" ] && [ -O "$run/helper.sock" ] && [ -S "$run/helper.sock" ] &&
  [ -O "$run/proof" ] && IFS= read -r proof <"$run/proof" && [ \${#proof} -ge 32 ]; then
  input=$(cat)
  answer=$(printf '%s' "$input" | curl --silent --max-time 5 --unix-socket "$run/helper.sock" --header "@$run/header" \\
    --data-binary @- "http://beak/$tool" 2>/dev/null)
  if [ "$answer" = "$proof" ]; then
    printf '{}\\n'
    exit 0
  fi
  printf '%s' "$input" | answer_by_program
  exit
fi
case $event in PostToolUse | UserPromptSubmit | Stop | SessionEnd)
  # Nothing waits beside a dialog.
  set -- "$run"/waiting/*
  [ -e "$1" ] || exit 0
  set -- "$tool" "$event" ;;
esac
answer_by_program
`
}

/**
 * Returns the command line that a coding agent starts. It blocks, with exit code 2 and a sentence, when the launcher does not start, is killed, or
 * prints anything but an answer.
 */
export function hookCommand({ launcher }: Layout, tool: ToolName, event: EventName): string {
  const hook = `${quoted(launcher)} ${tool} ${event}`
  if (!isAboutCall(event)) return `${hook} || true`
  const answers = `'{}'|'{"hookSpecificOutput":{'*'}}'`
  return `answer=$(${hook}) && case "$answer" in ${answers}) printf '%s\\n' "$answer";; *) false;; esac || { echo "Beak could not be asked. Tell the user to run: beak connect status" >&2; exit 2; }`
}
