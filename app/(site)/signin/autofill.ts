import { askPasskey, cancelPasskeys } from '@/components/passkey-ceremony'
import type { AssertionCredential } from '@/lib/passkeys/schema'
import { passkeySignInOptions } from '@/lib/web/passkey-actions'

/** Offers are renewed before their challenge runs out, which is after five minutes. */
const renewAfterMs = 270_000

export interface Autofill {
  /** Offers passkeys again, unless they are on offer already. */
  offer(): void
  /** Takes the offer back for good. */
  end(): void
}

/**
 * Offers passkeys in the autofill of the address field, in the background, and hands over the one that is picked. The offer is
 * taken back when a form is sent, and made anew when somebody turns to the page again. Whatever fails here fails silently:
 * nobody has asked for anything yet, and the button is there.
 */
export function offerInAutofill(onPick: (credential: AssertionCredential) => Promise<void>): Autofill {
  let isOver = false
  let isWaiting = false
  let isUnwanted = false

  async function offer() {
    if (isOver || isWaiting || document.visibilityState === 'hidden') return
    isWaiting = true
    isUnwanted = false
    try {
      if (!(await window.PublicKeyCredential?.isConditionalMediationAvailable?.())) return
      const options = await passkeySignInOptions()
      if (!options.ok || isOver || isUnwanted) return
      await onPick(await askPasskey(options.data, { conditional: true }))
    } catch {
      // Taken back, or the browser cannot do it after all.
    } finally {
      isWaiting = false
    }
  }

  async function takeBack() {
    isUnwanted = true
    if (isWaiting) await cancelPasskeys()
  }
  const onTurn = () => void offer()
  const onSubmit = () => void takeBack()
  const timer = setInterval(() => void takeBack().then(() => setTimeout(onTurn)), renewAfterMs)
  document.addEventListener('submit', onSubmit)
  document.addEventListener('focusin', onTurn)
  document.addEventListener('visibilitychange', onTurn)
  void offer()
  return {
    offer: onTurn,
    end() {
      isOver = true
      clearInterval(timer)
      document.removeEventListener('submit', onSubmit)
      document.removeEventListener('focusin', onTurn)
      document.removeEventListener('visibilitychange', onTurn)
      void takeBack()
    },
  }
}
