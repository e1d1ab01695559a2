/** Which operations of the API the page "Try it" offers. */
import type { Group, ListedOperation } from '../api/reference'
import { responseOf } from '../api/words'

/**
 * Operations that need another page: a decision must show what is decided, a passkey needs a script, a sign-in of a device must show the
 * device, and the others end or issue a session, or answer with everything that is stored about a person.
 */
const elsewhere = new Set([
  'approvePeck',
  'rejectPeck',
  'decidePecks',
  'startPasskeyRegistration',
  'finishPasskeyRegistration',
  'requestPasskeyChallenge',
  'confirmPasskey',
  'endorsePasskey',
  'removePasskey',
  'recoverPasskeys',
  'startApproverEnrolment',
  'finishApproverEnrolment',
  'viewDevice',
  'approveDevice',
  'denyDevice',
  'bridgeSsoToken',
  'signOut',
  'revokeSession',
  'exportAccount',
  'closeAccount',
])

/** Whether anybody may call an operation. */
export const isPublic = ({ operation: { security } }: ListedOperation) =>
  security.length === 0 || security.some((way) => Object.keys(way).length === 0)

export const isRead = ({ method }: ListedOperation) => method === 'GET'

/** Tells whether the page offers an operation: a read, or a change that the session of a person allows. Its answer is JSON. */
export function isOffered(listed: ListedOperation): boolean {
  const { operation } = listed
  const takesSession = operation.security.some((way) => 'session' in way)
  return (
    responseOf(listed).media === 'application/json' &&
    !elsewhere.has(operation.operationId) &&
    (takesSession || (isRead(listed) && isPublic(listed)))
  )
}

/** Returns an offered operation by its name, or null. */
export function findOffered(groups: Group[], name: unknown): ListedOperation | null {
  const all = groups.flatMap(({ operations }) => operations)
  return all.find((listed) => listed.operation.operationId === name && isOffered(listed)) ?? null
}
