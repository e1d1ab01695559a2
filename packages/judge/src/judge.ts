/** Judges one call of a tool: a shell line by its commands, any other tool by what it names. */

import { runsHarmlessCommands } from '@beak/decision/risk/harmless-commands'
import { hideSecrets } from '@beak/decision/secret-values'
import { type Finding, highest } from './findings'
import type { Parse } from './grammar'
import { dispatch } from './programs/dispatch'
import { mask } from './secrets'
import type { Scope } from './shell/scope'
import { Walk } from './shell/walk'
import { isReader, judgeTool } from './tools'
import type { Judgement, Place, Reason, ToolCall } from './types'

/** Tools of the agents that run a command line. */
const shells = new Set(
  'Bash shell local_shell exec_command container.exec unified_exec write_stdin Monitor'.split(' '),
)

const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** Returns the command line of a call, or null when it has none. Some tools have its words in a list. */
function commandOf({ tool, input }: ToolCall): string | null {
  const value = input.command ?? input.cmd ?? (tool === 'write_stdin' ? input.chars : undefined)
  if (!shells.has(tool)) return null
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every((word) => typeof word === 'string')
    ? value.map(quoted).join(' ')
    : null
}

/** Returns whether the person is asked about a call, and what the person sees. Throws nothing: what fails is asked. */
export function judgeCall(parse: Parse, call: ToolCall, place: Place): Judgement {
  const command = commandOf(call)
  const line = new Walk(command ?? '', place, parse, dispatch)
  const given = call.input.workdir ?? call.input.cwd
  const cwd = typeof given === 'string' && given !== '' ? given : call.cwd
  const scope: Scope = { ...line.scope(cwd), range: [0, 0] }
  let shown: Record<string, unknown>
  try {
    if (command === null) shown = judgeTool(line, call, scope)
    else {
      checkSandbox(line, call, scope)
      line.start(cwd)
      shown = { cwd }
    }
  } catch (error) {
    line.ask('not_judged', scope, {
      level: 'medium',
      values: { error: error instanceof Error ? error.message : '' },
    })
    shown = { tool: call.tool, cwd }
  }
  if (place.isStrict && line.findings.length === 0 && !isOnlyReading(call.tool, command))
    line.ask('strict', scope, { level: 'low' })
  return line.findings.length === 0 ? { ask: false } : asked(line, command, shown)
}

/** Whether a call only reads, or runs commands on the list of harmless ones, which has tests and builds too. */
const isOnlyReading = (tool: string, command: string | null): boolean =>
  command === null
    ? isReader(tool)
    : runsHarmlessCommands([{ name: 'script', path: 'script', value: command }])

/** A call that leaves the sandbox of its agent can do what the sandbox forbids. */
function checkSandbox(line: Walk, { input, tool }: ToolCall, scope: Scope): void {
  const isOutside =
    input.dangerouslyDisableSandbox === true ||
    input.with_escalated_permissions === true ||
    input.sandbox_permissions === 'require_escalated'
  if (isOutside) line.ask('leaves_sandbox', scope, { level: 'low' })
  const { shell, environment, env } = input
  if (typeof shell === 'string' && !/^(?:\/(?:usr\/)?bin\/)?(?:ba|z)?sh$/.test(shell))
    line.ask('unknown_command', scope, { values: { command: shell } })
  for (const one of [environment, env])
    if (typeof one === 'object' && one !== null && Object.keys(one).length > 0)
      line.ask('changes_variable', scope, { values: { name: Object.keys(one).join(', ') } })
  if (tool === 'write_stdin') line.hasChanged = true
}

/** Makes the judgement of what was found. */
function asked(line: Walk, command: string | null, shown: Record<string, unknown>): Judgement {
  const { findings, place } = line
  const masked = command === null ? null : mask(command)
  const named = namedAction(line)
  const diff = typeof shown.diff === 'string' ? { diff: hideSecrets(shown.diff) } : {}
  return {
    ask: true,
    action: named?.action ?? plainAction(findings),
    params: {
      ...withoutEmpty(shown),
      ...diff,
      ...named?.params,
      ...(masked === null ? {} : { command: masked.text }),
      folder: place.folder,
    },
    reasons: reasonsOf(findings),
    level: highest(findings),
    marked: masked === null ? [] : markedParts(findings, masked.place, masked.text.length),
    buildFiles: [...line.buildFiles],
  }
}

const withoutEmpty = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))

/**
 * Returns the action and the values that rules of the person can match: only of a call with one dangerous command that stands there plainly, and
 * only when nothing before it changes what it means. A rule for `git:push` must not allow `git push && rm -rf ~`.
 */
function namedAction({ findings, hasChanged }: Walk): Pick<Finding, 'action' | 'params'> | null {
  const [first] = findings
  if (first === undefined) return null
  const isOne = findings.every(
    ({ part, action, isPlain }) => part === first.part && action === first.action && isPlain,
  )
  if (!isOne || hasChanged) return null
  return {
    action: first.action,
    params: Object.assign({}, ...findings.map(({ params }) => params), pathsOf(findings)),
  }
}

const pathsOf = (findings: Finding[]) => {
  const paths = findings.flatMap(({ params }) =>
    Array.isArray(params.paths) ? (params.paths as string[]) : [],
  )
  return paths.length > 0 ? { paths: [...new Set(paths)] } : {}
}

function plainAction(findings: Finding[]): string {
  if (findings.some(({ action }) => action === 'change:agent-settings')) return 'change:agent-settings'
  return new Set(findings.map(({ part }) => part)).size > 1 ? 'run:commands' : 'run:command'
}

const levels = ['high', 'medium', 'low']
const valueMax = 120

/** Returns each reason once, the highest level first, with values that hide secrets. */
function reasonsOf(findings: Finding[]): Reason[] {
  const reasons = new Map<string, Reason>()
  for (const { rule, values } of [...findings].sort(
    (a, b) => levels.indexOf(a.level) - levels.indexOf(b.level),
  )) {
    const safe = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? short(value) : value]),
    )
    reasons.set(JSON.stringify([rule, safe]), { rule, values: safe })
  }
  return [...reasons.values()]
}

function short(text: string): string {
  const shown = hideSecrets(text.replaceAll('\0', '…'))
  return shown.length > valueMax ? `${shown.slice(0, valueMax)}…` : shown
}

/** Returns the places of the dangerous parts in the masked command, in order and without overlaps. */
function markedParts(
  findings: Finding[],
  place: (offset: number) => number,
  end: number,
): [number, number][] {
  const ranges = findings
    .map(({ range: [from, to] }): [number, number] => [place(from), Math.min(place(to), end)])
    .filter(([from, to]) => to > from)
    .sort(([a], [b]) => a - b)
  const merged: [number, number][] = []
  for (const [from, to] of ranges) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}
