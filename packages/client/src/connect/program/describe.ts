/** What is written about a call that matters. */
import { type Judgement, sentenceOf } from '@beak/judge'
import type { ToolName } from '../layout'
import type { LogEntry } from '../log'
import type { ToolEvent } from './event'

export type Asked = Extract<Judgement, { ask: true }>

export const sentencesOf = ({ reasons }: Asked): string[] => reasons.map(sentenceOf)

/** Returns the entry of the log for a call. */
export function entryOf(
  tool: ToolName,
  judgement: Asked,
  call: ToolEvent,
  kind: LogEntry['kind'],
): Omit<LogEntry, 'at'> {
  const { action, params } = judgement
  const what = String(params.command ?? params.path ?? call.tool_name)
  return { tool, kind, action, what, reasons: sentencesOf(judgement), folder: call.cwd }
}

/** Names the parts of a longer line that matter. A line that matters as a whole needs that not. */
function dangerousParts(command: string, marked: [number, number][]): { dangerous_parts?: string[] } {
  const parts = [...new Set(marked.map(([start, end]) => command.slice(start, end).trim()))]
  return parts.length === 0 || parts.join('').length >= command.trim().length
    ? {}
    : { dangerous_parts: parts }
}

/**
 * Returns the params of the request. A plain push says where it goes in values of its own, so a rule need not fix its text: the text has a name for
 * which a rule may accept anything, and the group of the branch (`feature/…`) can be fixed instead of the branch. The judge calls only one
 * plain push of one branch `git:push`.
 */
export function paramsOf({ action, params, marked }: Asked): Record<string, unknown> {
  const { command, branch } = params
  if (typeof command === 'string' && action !== 'git:push')
    return { ...params, ...dangerousParts(command, marked) }
  if (action !== 'git:push' || typeof command !== 'string' || typeof branch !== 'string') return params
  const { command: _, ...others } = params
  const [, group] = /^(.+)\//.exec(branch) ?? []
  return { ...others, line: command, ...(group === undefined ? {} : { branches: `${group}/…` }) }
}
