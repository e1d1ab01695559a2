/** What a hook prints: one JSON object, which the line in the settings compares with these forms. */

import type { CallEvent } from '../launcher'
import type { ToolName } from '../layout'

/** Leaves the call to the coding agent. Empty output would look the same as a hook that broke. */
export const noOpinion = '{}'

export type Answer =
  | { decision: 'none' }
  /** Shows the dialog of the coding agent, where it has one. */
  | { decision: 'ask'; reason: string }
  | { decision: 'allow'; reason: string; input: Record<string, unknown> }
  | { decision: 'deny'; reason: string }

/** Returns an answer in the form that a coding agent expects for an event. */
export function answerText(tool: ToolName, event: CallEvent, answer: Answer): string {
  if (answer.decision === 'none') return noOpinion
  if (event === 'PermissionRequest') return forDialog(tool, answer)
  // Codex has no plain "allow" and no "ask": without an opinion, it continues with its own rules.
  if (tool === 'codex' && answer.decision !== 'deny') return noOpinion
  const { decision: permissionDecision, reason: permissionDecisionReason } = answer
  // Exactly what was approved runs, also when another hook changes the input.
  const input = answer.decision === 'allow' ? { updatedInput: answer.input } : {}
  return JSON.stringify({
    hookSpecificOutput: { hookEventName: event, permissionDecision, permissionDecisionReason, ...input },
  })
}

function forDialog(tool: ToolName, answer: Exclude<Answer, { decision: 'none' }>): string {
  if (answer.decision === 'ask') return noOpinion
  const decision =
    answer.decision === 'deny'
      ? { behavior: 'deny', message: answer.reason }
      : { behavior: 'allow', ...(tool === 'claude' ? { updatedInput: answer.input } : {}) }
  return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })
}
