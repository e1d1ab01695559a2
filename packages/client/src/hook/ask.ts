/** Asks a person about the call of a tool that a rule concerns. The hook and the adapter for the Claude Agent SDK share this. */
import { z } from 'zod'
import { runWithPermission } from '../adapters/guard'
import type { Beak } from '../beak'
import { paramsOf, type Rule, type Rules, type ToolCall } from './rules'

/** The event `PreToolUse`, as coding agents write it. */
const Event = z.looseObject({
  hook_event_name: z.literal('PreToolUse'),
  tool_name: z.string(),
  tool_input: z.record(z.string(), z.unknown()),
  cwd: z.string(),
})

/** Returns the call of an event. Throws `Error` for anything else. */
export function readEvent(value: unknown): ToolCall {
  const { success, data } = Event.safeParse(value)
  if (!success) throw new Error('This is not an event of the kind PreToolUse.')
  return { tool: data.tool_name, input: data.tool_input, cwd: data.cwd }
}

export interface HookDecision {
  permission: 'allow' | 'deny'
  /** For the model. */
  reason: string
}

/** Asks, waits and spends one use. Rejects when `signal` aborts, and for an input that is not JSON. */
export async function askForCall(
  beak: Beak,
  { target, wait }: Rules,
  rule: Rule,
  call: ToolCall,
  signal: AbortSignal | undefined,
): Promise<HookDecision> {
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
  // Broken connections may take longer than the wait. The agent must not time out first, because it then runs the command.
  const limit = AbortSignal.timeout((wait + 30) * 1000)
  const end = signal === undefined ? limit : AbortSignal.any([limit, signal])
  const result = await runWithPermission(options, paramsOf(rule, call), () => undefined, end)
  if (result.refusal !== null)
    return { permission: 'deny', reason: `${result.refusal.message} ${result.refusal.next}` }
  return { permission: 'allow', reason: `Approved with Beak: ${result.permission.peck_id}.` }
}

/** Returns what the agent says about a command, as far as it fits into a message: 280 characters, all printable. */
function describe({ input: { description } }: ToolCall): string | undefined {
  if (typeof description !== 'string') return undefined
  return description.slice(0, 280).replace(/\p{C}/gu, ' ').trim() || undefined
}
