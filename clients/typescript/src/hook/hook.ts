/**
 * A hook for coding agents (Claude Code, Codex): before a command that matches a rule, it asks a person. The agents let a command through
 * when a hook fails, so every fault here is an explicit refusal.
 */
import { z } from 'zod'
import { runWithPermission } from '../adapters/guard'
import type { Beak } from '../beak'
import { findRule, paramsOf, type Rule, type Rules, type ToolCall } from './rules'

/** The event `PreToolUse`, as both agents write it to the standard input of the hook. */
const Event = z.looseObject({
  hook_event_name: z.literal('PreToolUse'),
  tool_name: z.string(),
  tool_input: z.record(z.string(), z.unknown()),
  cwd: z.string(),
})

/** The coding agents whose answers differ. */
export type CodingAgent = 'claude' | 'codex'

/** What to write to the standard output. Empty: the agent continues as it would without the hook. */
export type HookAnswer = string

/**
 * Answers a `PreToolUse` event: empty for a call that no rule concerns, otherwise the decision of the person. Never rejects.
 *
 * @param text the event, from the standard input
 * @param load returns the rules and the client; a failure refuses the call
 * @param signal stops waiting, which refuses the call
 */
export async function answerHook(
  agent: CodingAgent,
  text: string,
  load: () => Promise<{ rules: Rules; beak: () => Promise<Beak> }>,
  signal?: AbortSignal | undefined,
): Promise<HookAnswer> {
  try {
    const call = readCall(text)
    const { rules, beak } = await load()
    const rule = findRule(rules, call)
    return rule === null ? '' : await ask(agent, await beak(), rules, rule, call, signal)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return deny(`The hook of Beak failed, so the command was not run. ${reason}`)
  }
}

function readCall(text: string): ToolCall {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('The standard input is not JSON.')
  }
  const { success, data } = Event.safeParse(value)
  if (!success) throw new Error('The standard input is not an event of the kind PreToolUse.')
  return { tool: data.tool_name, input: data.tool_input, cwd: data.cwd }
}

async function ask(
  agent: CodingAgent,
  beak: Beak,
  { target, wait }: Rules,
  rule: Rule,
  call: ToolCall,
  signal: AbortSignal | undefined,
): Promise<HookAnswer> {
  const { action, scope, grant_expires_in, expires_in } = rule
  const message = rule.message ?? describe(call)
  const options = {
    beak,
    action,
    scope,
    grant_expires_in,
    expires_in,
    message,
    wait,
    target: rule.target ?? target,
  }
  const result = await runWithPermission(options, paramsOf(rule, call), () => undefined, signal)
  if (result.refusal !== null) return deny(`${result.refusal.message} ${result.refusal.next}`)
  // Codex has no plain "allow": without an answer, it continues with its own rules.
  if (agent === 'codex') return ''
  return decision('allow', `Approved with Beak: ${result.permission.peck_id}.`)
}

/** Returns what the agent says about a command, as far as it fits into a message: 280 characters, all printable. */
function describe({ input: { description } }: ToolCall): string | undefined {
  if (typeof description !== 'string') return undefined
  return description.slice(0, 280).replace(/\p{C}/gu, ' ').trim() || undefined
}

const deny = (reason: string) => decision('deny', reason)

const decision = (permissionDecision: 'allow' | 'deny', permissionDecisionReason: string) =>
  JSON.stringify({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
  })
