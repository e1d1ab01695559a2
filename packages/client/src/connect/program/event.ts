/** What coding agents send to a hook. */
import { refuseInexact } from '@beak/proofs/exact-numbers'

/** The start or the end of a session, or a call in it. */
export interface SessionEvent {
  session_id: string
  cwd: string
}
/** The call of a tool. */
export interface ToolEvent extends SessionEvent {
  tool_name: string
  tool_input: Record<string, unknown>
  /** Names this very call. Empty where the coding agent names none. */
  tool_use_id: string
}

/** Returns the JSON of a text, without a byte order mark, which some shells write. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw new Error('The event of the coding agent is not JSON.')
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the session of an event. Throws `Error` for anything else. */
export function readSession(text: string): SessionEvent {
  const value = jsonOf(text)
  if (!isObject(value) || typeof value.session_id !== 'string' || typeof value.cwd !== 'string')
    throw new Error('This is not an event of a coding agent.')
  return { session_id: value.session_id, cwd: value.cwd }
}

/** Returns the call of a tool. Throws `Error` for anything else. */
export function readCall(text: string): ToolEvent {
  const value = jsonOf(text)
  if (!isObject(value) || typeof value.tool_name !== 'string' || !isObject(value.tool_input))
    throw new Error('This is not the call of a tool.')
  const { tool_name, tool_input, tool_use_id } = value
  const id = typeof tool_use_id === 'string' ? tool_use_id : ''
  return { ...readSession(text), tool_name, tool_input, tool_use_id: id }
}

/** Throws `RangeError` when the call has a number that JSON does not keep: the person would approve another number than the tool gets. */
export const refuseChangedNumbers = (text: string): void => refuseInexact(text.replace(/^\uFEFF/, ''))
