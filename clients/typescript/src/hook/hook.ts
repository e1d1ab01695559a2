/**
 * A hook for coding agents (Claude Code, Codex): before a command that matches a rule, it asks a person. The agents let a command through
 * when a hook fails, so every fault here is an explicit refusal.
 */
import type { Beak } from '../beak'
import { askForCall, readEvent } from './ask'
import { findRule, type Rules, type ToolCall } from './rules'

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
    if (rule === null) return ''
    const { permission, reason } = await askForCall(await beak(), rules, rule, call, signal)
    // Codex has no plain "allow": without an answer, it continues with its own rules.
    return agent === 'codex' && permission === 'allow' ? '' : decision(permission, reason)
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
  return readEvent(value)
}

const deny = (reason: string) => decision('deny', reason)

const decision = (permissionDecision: 'allow' | 'deny', permissionDecisionReason: string) =>
  JSON.stringify({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
  })
