/**
 * A hook for coding agents (Claude Code, Codex): before a command that matches a rule, it asks a person. The agents let a command through
 * when a hook fails, so every fault here is an explicit refusal.
 */

import { refuseInexact } from '@beak/proofs/exact-numbers'
import type { Beak } from '../beak'
import { askForCall, readEvent } from './ask'
import { findRule, type Rules, type ToolCall } from './rules'

/** The coding agents whose answers differ. */
export type CodingAgent = 'claude' | 'codex'

/** What to write to the standard output: one JSON object. */
export type HookAnswer = string

/** The answer about a call that the hook leaves to the coding agent. Empty output would look the same as a hook that broke. */
const noOpinion: HookAnswer = '{}'

/** The hook ends so many seconds before the coding agent stops waiting for it and runs the command. */
const marginSeconds = 10

export interface HookOptions {
  /** How many seconds the coding agent waits for the hook: the `timeout` of its settings. */
  limit: number
  /** Stops waiting, which refuses the call. */
  signal?: AbortSignal | undefined
}

/**
 * Answers a `PreToolUse` event: `{}` for a call that no rule concerns, otherwise the decision of the person. Never rejects, and takes at most
 * `limit` less ten seconds.
 *
 * @param readText returns the event, from the standard input
 * @param load returns the rules and the client; a failure refuses the call
 */
export async function answerHook(
  agent: CodingAgent,
  readText: () => Promise<string>,
  load: () => Promise<{ rules: Rules; beak: () => Promise<Beak> }>,
  { limit, signal }: HookOptions,
): Promise<HookAnswer> {
  const seconds = Math.max(0, limit - marginSeconds)
  const late = AbortSignal.timeout(Math.round(seconds * 1000))
  const end = signal === undefined ? late : AbortSignal.any([late, signal])
  const decide = async () => {
    // Some shells write a byte order mark.
    const text = (await readText()).replace(/^\uFEFF/, '')
    const call = readCall(text)
    const { rules, beak } = await load()
    const rule = findRule(rules, call)
    if (rule === null) return noOpinion
    // The person would approve another number than the tool gets.
    refuseInexact(text)
    // A decision that is late has a sentence of its own, so the wait ends a little before the hook does.
    const wait = Math.max(0, Math.min(rules.wait, seconds - 5))
    const { permission, reason } = await askForCall(await beak(), { ...rules, wait }, rule, call, end)
    // Codex has no plain "allow": without an opinion, it continues with its own rules.
    return agent === 'codex' && permission === 'allow' ? noOpinion : decision(permission, reason)
  }
  try {
    return await Promise.race([decide(), rejectionOf(end, late, seconds)])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return decision('deny', `The hook of Beak failed, so the command was not run. ${reason}`)
  }
}

/** Rejects when `end` aborts: reading the event or the rules may take as long as it wants otherwise. */
function rejectionOf(end: AbortSignal, late: AbortSignal, seconds: number): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () =>
      reject(late.aborted ? new Error(`It had no answer after ${Math.round(seconds)} s.`) : end.reason)
    if (end.aborted) fail()
    else end.addEventListener('abort', fail, { once: true })
  })
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

const decision = (permissionDecision: 'allow' | 'deny', permissionDecisionReason: string) =>
  JSON.stringify({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
  })
