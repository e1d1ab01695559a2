/**
 * Asks a person before the Claude Agent SDK (`@anthropic-ai/claude-agent-sdk`) runs a tool, by the rules of `beak hook`. Both functions
 * match the types of the SDK by their form, so this package does not need the SDK.
 */
import type { Beak } from '../beak'
import { askForCall, type HookDecision, readEvent } from '../hook/ask'
import { findRule, parseRules, type RulesInput, type ToolCall } from '../hook/rules'

export type { RulesInput } from '../hook/rules'

/** The result of `canUseTool`. */
export type ToolPermission =
  | { behavior: 'allow'; updatedInput: Record<string, unknown> }
  | { behavior: 'deny'; message: string }

/** The output of a `PreToolUse` hook. Empty: no rule concerns the call, so the SDK decides. */
export interface PreToolUseOutput {
  hookSpecificOutput?: {
    hookEventName: 'PreToolUse'
    permissionDecision: 'allow' | 'deny'
    permissionDecisionReason: string
  }
}

/** Options of `canUseTool`. */
export interface CanUseToolOptions {
  /** The folder in which the agent works. It is a part of what is approved. Default: the folder of this process. */
  cwd?: string | undefined
}

/**
 * Returns a `canUseTool` function, which the SDK calls for tools that its own permission rules leave open. A call that no rule concerns is
 * refused. The tool runs with exactly the approved input. Throws `Error` for invalid rules.
 *
 * @example
 * const options = { canUseTool: canUseTool(beak, { target, rules: [{ tool: '^Bash$', action: 'run:command' }] }) }
 */
export function canUseTool(
  beak: Beak,
  rules: RulesInput,
  { cwd = process.cwd() }: CanUseToolOptions = {},
): (
  toolName: string,
  input: Record<string, unknown>,
  options?: { signal?: AbortSignal },
) => Promise<ToolPermission> {
  const decide = decider(beak, rules)
  return async (tool, input, options) => {
    const decision = await failingClosed(async () => {
      // The SDK gets this copy, so a change of the original during the wait does not reach the tool.
      const call = { tool, input: structuredClone(input), cwd }
      return { ...(await decide(call, options?.signal)), input: call.input }
    })
    if (decision.permission === 'allow') return { behavior: 'allow', updatedInput: decision.input }
    return { behavior: 'deny', message: decision.reason }
  }
}

/**
 * Returns a hook for `PreToolUse`, which the SDK calls before every tool. A call that no rule concerns gets no answer. The SDK lets a call
 * through when a hook takes too long: set the `timeout` of the matcher to 60 seconds more than `wait` of the rules. Throws `Error` for invalid
 * rules.
 *
 * @example
 * const options = { hooks: { PreToolUse: [{ hooks: [preToolUse(beak, rules)], timeout: 600 }] } }
 */
export function preToolUse(
  beak: Beak,
  rules: RulesInput,
): (event: object, toolUseId?: string, options?: { signal?: AbortSignal }) => Promise<PreToolUseOutput> {
  const decide = decider(beak, rules)
  return async (event, _, options) => {
    const { permission, reason } = await failingClosed(async () =>
      decide(structuredClone(readEvent(event)), options?.signal),
    )
    if (permission === 'none') return {}
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: permission,
        permissionDecisionReason: reason,
      },
    }
  }
}

/** A decision about a call. `none`: no rule concerns it. */
type CallDecision = HookDecision | { permission: 'none'; reason: string }

function decider(
  beak: Beak,
  given: RulesInput,
): (call: ToolCall, signal: AbortSignal | undefined) => Promise<CallDecision> {
  const rules = parseRules(given, 'The rules')
  return async (call, signal) => {
    const rule = findRule(rules, call)
    if (rule === null) return { permission: 'none', reason: `No rule of Beak allows ${call.tool}.` }
    return askForCall(beak, rules, rule, call, signal)
  }
}

/** Refuses the call when anything fails, because the SDK may let a call through after an error. */
async function failingClosed<Decision>(
  decide: () => Promise<Decision>,
): Promise<Decision | { permission: 'deny'; reason: string }> {
  try {
    return await decide()
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return { permission: 'deny', reason: `Beak could not ask, so the tool was not run. ${text}` }
  }
}
