/** Judges tools that are no shell. */

import { isListedVerb } from '@beak/decision/action-words'
import type { Params } from '@beak/decision/params'
import { readAction } from '@beak/decision/risk/action'
import { riskOf } from '@beak/decision/risk/rules'
import { snakeCase, withoutSecrets } from '@beak/decision/secret-values'
import { diffOf } from './diff'
import { checkContent, checkRead, checkWrite } from './files'
import { absolute } from './paths'
import { checkFetch } from './programs/network'
import { checkPatch } from './programs/patch'
import { hasRealSecret } from './secrets'
import type { Line } from './shell/line'
import type { Scope } from './shell/scope'
import { wordOf } from './shell/words'
import type { ToolCall } from './types'

/** Tools that plan, wait, ask the person, or start an agent whose calls are judged themselves. */
const quiet = new Set(
  `TodoWrite TodoRead WebSearch ToolSearch AskUserQuestion ExitPlanMode EnterPlanMode BashOutput KillShell KillBash Task Agent Skill
  TaskCreate TaskGet TaskList TaskUpdate TaskOutput TaskStop AgentOutputTool ListMcpResourcesTool ReadMcpResourceTool StructuredOutput LSP EnterWorktree ExitWorktree SlashCommand CronList Sleep Brief
  update_plan web_search request_user_input list_mcp_resources list_mcp_resource_templates read_mcp_resource spawn_agent
  wait_agent close_agent send_input wait tool_search`.split(/\s+/),
)
const readers = new Set('Read Grep Glob LS NotebookRead view_image read_file list_dir grep_files'.split(' '))
const editors = new Set('Edit Write MultiEdit NotebookEdit'.split(' '))

/** Tools of Beak, by their names: another server can call itself `beak`, too. */
const quietService =
  /^mcp__(?:beak__(?:whoami|ask_permission|wait_for_decision|use_permission|cancel_request|permission_prompt|verify_[a-z]+)|sequential-thinking__sequentialthinking)$/

/** Whether a tool reads, plans or asks the person, and changes nothing. */
export const isReader = (tool: string): boolean =>
  quiet.has(tool) || readers.has(tool) || quietService.test(tool)

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Judges a call. Returns what the person sees of it beside the reasons. */
export function judgeTool(line: Line, { tool, input }: ToolCall, scope: Scope): Record<string, unknown> {
  if (isReader(tool) && !readers.has(tool)) return {}
  const path =
    textOf(input.file_path) ?? textOf(input.notebook_path) ?? textOf(input.path) ?? textOf(input.dir_path)
  if (readers.has(tool)) {
    if (path !== null) checkRead(line, wordOf(path), scope)
    const pattern = textOf(input.glob) ?? (tool === 'Glob' ? textOf(input.pattern) : null)
    if (pattern !== null)
      checkRead(
        line,
        wordOf(path === null || /^[~/]/.test(pattern) ? pattern : `${path}/${pattern}`, { isGlob: true }),
        scope,
      )
    return { tool, path }
  }
  if (editors.has(tool) && path !== null) {
    checkWrite(line, wordOf(path), scope)
    const target = absolute(path, scope.cwd ?? '/', line.place.home)
    checkContent(line, textIn(input).join('\n'), target, scope)
    return { tool, path: target, diff: diffOf(target, input) }
  }
  if (tool === 'apply_patch') {
    const patch =
      [input.input, input.patch, input.command, input]
        .flatMap((value) => textIn(value))
        .find((text) => text.includes('*** ')) ?? ''
    const paths = checkPatch(line, patch, scope)
    checkContent(line, patch.replace(/^-.*$/gm, ''), paths[0] ?? '', scope)
    return { tool, paths, diff: patch }
  }
  if (tool === 'WebFetch') {
    const url = textOf(input.url) ?? ''
    checkFetch(line, wordOf(url), scope)
    return { tool, url }
  }
  const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? []
  if (server !== undefined && name !== undefined) return judgeService(line, server, name, input, scope)
  line.ask('unknown_tool', scope, { action: 'use:tool', values: { tool } })
  return { tool, input: withoutSecrets('input', input) }
}

function textIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textIn) : []
}

/** Verbs that are not in the list of the service, and that tools of servers begin or end with. */
const otherVerb =
  /^(?:get|fetch|query|lookup|describe|browse|navigate|click|type|take|resolve|execute|insert|batch|set|put|post|patch|apply|move|append|trigger|invoke|call|add|find|count|check|take|evaluate|press|fill|select|hover|wait|resize|drag|install|handle)$/

/** Returns the action of a tool: verb and object, as the rules of risk read them. */
function actionOfTool(server: string, tool: string): string {
  const words = snakeCase(tool).split('_')
  const isVerb = (word: string | undefined) =>
    word !== undefined && (isListedVerb(word) || otherVerb.test(word))
  // `getOrCreate` creates.
  const second = words.findIndex((word, index) => /^(?:or|and)$/.test(words[index - 1] ?? '') && isVerb(word))
  const at = second > 0 ? second : isVerb(words[0]) ? 0 : Math.max(words.findIndex(isVerb), 0)
  // Looking up the id of a name only reads.
  const isLookup = words[at] === 'resolve' && /^ids?$/.test(words.at(-1) ?? '')
  const verb = isLookup ? 'get' : (words[at] ?? 'use')
  const rest = words.filter((_, index) => index !== at)
  const owner = snakeCase(server).replace(/^(?:claude_ai|plugin)_/, '')
  const object = [...(rest.includes(owner) ? [] : [owner]), ...rest].join('-').replaceAll('_', '-')
  return `${verb}:${object === '' ? 'tool' : object}`
}

/** Judges a tool of a server by the rules of risk of the service. */
function judgeService(
  line: Line,
  server: string,
  tool: string,
  input: Record<string, unknown>,
  scope: Scope,
): Record<string, unknown> {
  const action = actionOfTool(server, tool)
  const [verb = '', object = ''] = action.split(':')
  const things = object
    .split('-')
    .filter((word) => word !== server.toLowerCase())
    .join('-')
  const risk = riskOf({
    action: `${verb}:${things === '' ? 'tool' : things}`,
    scope: 'limited',
    params: input as Params,
    isOwn: true,
    history: null,
  })
  // A verb that reads is enough here, also with words that look like a command or have the name of a secret, such as `tokens: 4000`.
  const onlyReads =
    !hasRealSecret(JSON.stringify(input)) &&
    (readAction(`${verb}:${things}`).isHarmless ||
      (verb === 'resolve' &&
        /(?:^|-)(?:id|ids|library|url|uri|path|host|name|symbol|reference)$/.test(things))) &&
    risk.reasons.every(({ rule, level }) => level !== 'high' && /^(?:unlisted|command|secret)$/.test(rule))
  if (risk.level !== 'low' && !onlyReads)
    line.ask('service_tool', scope, {
      level: risk.level,
      action,
      params: { server, tool },
      values: { tool, server },
    })
  return { server, tool, input: withoutSecrets('input', input) }
}
