import { passkeySignInOptions } from '@/app/_passkeys/actions'
import { askPasskey, cancelPasskeys } from '@/app/_passkeys/ceremony'
import type { Assertion } from '@/app/_web/sign-in'

/** Renews the offer before its challenge expires after five minutes. */
const renewAfterMs = 270_000
/** After this many failures the browser is not asked again. */
const failuresMax = 3
/** Events that show that somebody uses the page. Before the first one, no challenge is requested and nothing is loaded. */
const activityEvents = ['pointermove', 'touchstart', 'keydown', 'focusin', 'visibilitychange']

export interface Autofill {
  /** Withdraws the offer until `resume`. */
  pause(): Promise<void>
  /** Offers again. */
  resume(): void
  /** Withdraws the offer and stops listening. */
  end(): void
}

/**
 * Offers passkeys in the autofill of the email field, in the background, and passes the chosen one to `onPick`. Sending a form
 * withdraws the offer, and the next activity renews it. Failures are silent: the visitor has not asked for anything yet and can use
 * the button.
 */
export function offerInAutofill(onPick: (credential: Assertion) => Promise<void>): Autofill {
  let isPaused = false
  let isOffering = false
  let isWanted = false
  let failures = 0

  async function offer() {
    if (isPaused || isOffering || failures >= failuresMax || document.visibilityState === 'hidden') return
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
      // The offer was withdrawn, or the browser does not support it.
      if (isWanted) failures++
    } finally {
      isOffering = false
    }
  }

  async function withdraw() {
    isWanted = false
    if (isOffering) await cancelPasskeys()
  }
  async function pause() {
    isPaused = true
    await withdraw()
  }
  const stopListening = listen(offer, withdraw)
  return {
    pause,
    resume() {
      isPaused = false
      void offer()
    },
    end() {
      stopListening()
      void pause()
    },
  }
}

/** Offers on activity, withdraws on submit, and renews in time. Returns a function that ends this. */
function listen(offer: () => Promise<void>, withdraw: () => Promise<void>): () => void {
  const onActivity = () => void offer()
  const onSubmit = () => void withdraw()
  const timer = setInterval(() => void withdraw().then(() => setTimeout(onActivity)), renewAfterMs)
  document.addEventListener('submit', onSubmit)
  for (const event of activityEvents) document.addEventListener(event, onActivity, { passive: true })
  return () => {
    clearInterval(timer)
    document.removeEventListener('submit', onSubmit)
    for (const event of activityEvents) document.removeEventListener(event, onActivity)
  }
}
