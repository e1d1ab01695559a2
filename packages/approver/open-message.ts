/** Decides what this page does with the fragment of its address: every check of docs/approver.md before the passkey is asked. */
import { canBeReceipt } from '@beak/proofs/receipts/limits'
import { findEnrolment, isAnswered, type Memory } from './memory'
import {
  ApproverMessage,
  type DecideMessage,
  type EnrolMessage,
  fragmentMax,
  valueOfFragment,
} from './messages'
import { Refused } from './refused'
import { isApproverOrigin, readService, type Service } from './service'
import { checkStatement, type Request, readStatement, readValues, requestOf } from './statement'

/** Where and when this page reads a message. */
export interface Place {
  origin: string
  isFramed: boolean
  memory: Memory
  now: Date
}

export type Opened =
  | { type: 'home' }
  | { type: 'enrol'; message: EnrolMessage; service: Service }
  | { type: 'decide'; message: DecideMessage; service: Service; request: Request }

/** Reads a fragment, with its `#` or empty. Throws `Refused` unless this page may show and answer it. */
export function openMessage(fragment: string, place: Place): Opened {
  if (place.isFramed) throw new Refused('frame')
  if (!isApproverOrigin(place.origin)) throw new Refused('insecure')
  if (fragment.length <= 1) return { type: 'home' }
  const message = readMessage(fragment)
  const service = readService(message, place.origin)
  if (isAnswered(place.memory, message)) throw new Refused('answered')
  if (message.type === 'enrol') return { type: 'enrol', message, service }
  return { type: 'decide', message, service, request: readRequest(message, place) }
}

/** Returns the service of a message when it is set up in this browser: only there can a refused message go back. Null otherwise. */
export function enrolledService(
  fragment: string,
  { origin, memory }: Pick<Place, 'origin' | 'memory'>,
): { message: ApproverMessage; service: Service } | null {
  try {
    const message = readMessage(fragment)
    const isKnown = memory.enrolments.some(({ issuer }) => issuer === message.issuer)
    return isKnown && !isAnswered(memory, message) ? { message, service: readService(message, origin) } : null
  } catch {
    return null
  }
}

function readMessage(fragment: string): ApproverMessage {
  if (fragment.length > fragmentMax + 1) throw new Refused('too_long')
  const value = valueOfFragment(fragment)
  // Deeply nested values would make the checks recurse too deep.
  if (value === undefined || !canBeReceipt(value)) throw new Refused('unreadable')
  const { data } = ApproverMessage.safeParse(value)
  if (data === undefined) throw new Refused('unreadable')
  return data
}

function readRequest(message: DecideMessage, { origin, memory, now }: Place): Request {
  const { issuer, statement_text, values } = message
  // Before the statement is read, so that a service that is not set up here learns nothing from how this page answers.
  if (!memory.enrolments.some((enrolment) => enrolment.issuer === issuer)) throw new Refused('not_enrolled')
  const read = readStatement(statement_text)
  if (findEnrolment(memory, issuer, read.target_duckling_id) === null) throw new Refused('other_account')
  const statement = checkStatement(read, { issuer, approver: origin, now })
  const { params, shown } = readValues(values, statement)
  return requestOf(statement, params, shown)
}
