/**
 * What a request asks for, as data: the action, and what an approval of it allows. The signed sentence, the approver and the command line have it in
 * English (`display/display.ts`), pages and mails in the language of the reader (`lib/kernel/text/shown-action.ts`).
 */
import { type ListedAction, listedAction } from './action-words'
import { isFreeText } from './free-text'
import type { Params } from './params'
import { wantsEmail } from './profile-request'
import { isTestRequest } from './test-request'

/** `email`: the profile with the email address, on which the service itself acts. `unlisted`: the service has no words for the action. */
export type AskedAction =
  | { kind: 'profile' | 'email' | 'test' | 'favour' }
  | ({ kind: 'listed' } & ListedAction)
  | { kind: 'unlisted'; action: string }

/** Returns which action a request asks for. Only the params of `read:profile` matter. */
export function askedAction(action: string, params: Params = {}): AskedAction {
  if (wantsEmail(action, params)) return { kind: 'email' }
  if (action === 'read:profile') return { kind: 'profile' }
  if (isTestRequest(action)) return { kind: 'test' }
  if (isFreeText(action)) return { kind: 'favour' }
  const listed = listedAction(action)
  return listed === null ? { kind: 'unlisted', action } : { kind: 'listed', ...listed }
}

/** How often and how long an approval allows an action. A test and a request in free text permit nothing. */
export interface Extent {
  extent: 'once' | 'timed' | 'standing' | 'test' | 'favour'
  /** Null: until it is revoked. */
  seconds: number | null
}

/** Returns what an approval allows. */
export function extentOf({
  action,
  scope,
  grantSeconds: seconds,
}: {
  action: string
  scope: string
  grantSeconds: number | null
}): Extent {
  if (isTestRequest(action)) return { extent: 'test', seconds }
  if (isFreeText(action)) return { extent: 'favour', seconds }
  if (seconds === null) return { extent: 'standing', seconds }
  return { extent: scope === 'limited' ? 'once' : 'timed', seconds }
}
