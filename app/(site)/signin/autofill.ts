import { passkeySignInOptions } from '@/app/_web/passkey-actions'
import { askPasskey, cancelPasskeys } from '@/components/passkey-ceremony'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'

/** Offers are renewed before their challenge runs out, which is after five minutes. */
const renewAfterMs = 270_000
/** Where it fails this often, it will go on failing. */
const failuresMax = 3
/** How somebody shows that they are there. Until then no challenge is asked for and nothing is loaded. */
const signs = ['pointermove', 'touchstart', 'keydown', 'focusin', 'visibilitychange']

export interface Autofill {
  /** Takes the offer back, for as long as something else goes on. */
  hold(): Promise<void>
  /** Offers again. */
  resume(): void
  /** Takes the offer back for good. */
  end(): void
}

/**
 * Offers passkeys in the autofill of the address field, in the background, and hands over the one that is picked. The offer is
 * taken back when a form is sent, and made anew when somebody turns to the page again. Whatever fails here fails silently:
 * nobody has asked for anything yet, and the button is there.
 */
export function offerInAutofill(onPick: (credential: AssertionCredential) => Promise<void>): Autofill {
  let isHeld = false
  let isOffering = false
  let isWanted = false
  let failures = 0

  async function offer() {
    if (isHeld || isOffering || failures >= failuresMax || document.visibilityState === 'hidden') return
    isOffering = true
    isWanted = true
    try {
      if (!(await window.PublicKeyCredential?.isConditionalMediationAvailable?.())) {
        failures = failuresMax
        return
      }
      const options = await passkeySignInOptions()
      if (!options.ok) return void failures++
      if (isWanted) await onPick(await askPasskey(options.data, { conditional: true }))
    } catch {
      // Taken back, or the browser cannot do it after all.
      if (isWanted) failures++
    } finally {
      isOffering = false
    }
  }

  async function takeBack() {
    isWanted = false
    if (isOffering) await cancelPasskeys()
  }
  async function hold() {
    isHeld = true
    await takeBack()
  }
  const onSign = () => void offer()
  const onSubmit = () => void takeBack()
  const timer = setInterval(() => void takeBack().then(() => setTimeout(onSign)), renewAfterMs)
  document.addEventListener('submit', onSubmit)
  for (const sign of signs) document.addEventListener(sign, onSign, { passive: true })
  return {
    hold,
    resume() {
      isHeld = false
      void offer()
    },
    end() {
      clearInterval(timer)
      document.removeEventListener('submit', onSubmit)
      for (const sign of signs) document.removeEventListener(sign, onSign)
      void hold()
    },
  }
}
