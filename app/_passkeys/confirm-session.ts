/** Confirms the session with a passkey. Loaded only when an action asks for this proof. */
import { m } from '@/lib/kernel/messages'
import { confirmWithAssertion, passkeyChallenge } from './actions'
import { askPasskey, PasskeyError } from './ceremony'

/** Returns null when the session is confirmed, otherwise a message. Throws when Beak cannot be reached. */
export async function confirmSession(): Promise<string | null> {
  const offer = await passkeyChallenge({ purpose: 'confirm' })
  if (!offer.ok) return offer.message
  try {
    const confirmed = await confirmWithAssertion(await askPasskey(offer.data))
    return confirmed.ok ? null : confirmed.message
  } catch (error) {
    if (!(error instanceof PasskeyError)) throw error
    return error.isCancelled ? m.passkeys_prompt_closed_error() : error.message
  }
}
