'use client'

import { useEffect, useState } from 'react'
import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button-class'
import { m } from '@/lib/kernel/messages'
import { PhoneChannel } from './phone-channel'
import { declineOffer, isOfferDeclined, pushState } from './push'

/** The offer. Empty where push messages are impossible, after "Not now", and before the moment has come. */
export default function OfferCard() {
  const [publicKey, setPublicKey] = useState<string | null>(null)
  useEffect(() => {
    void findKey().then(setPublicKey, () => {})
  }, [])
  if (publicKey === null) return null
  function decline() {
    declineOffer()
    setPublicKey(null)
  }
  return (
    <section
      aria-labelledby="phone-offer"
      className="mt-8 grid max-w-md justify-items-start gap-4 rounded-card border border-line bg-surface p-5 text-start shadow-card"
    >
      <div>
        <h3 id="phone-offer">{m.phone_offer()}</h3>
        <p className="mt-1 text-sm text-soft">{m.phone_reason()}</p>
      </div>
      <PhoneChannel publicKey={publicKey} />
      <button type="button" onClick={decline} className={buttonClass('quiet')}>
        {m.phone_not_now()}
      </button>
    </section>
  )
}

/** Returns the key to subscribe with, or null when nothing should be offered. Asks the service only where the browser has push messages. */
async function findKey(): Promise<string | null> {
  const state = pushState([])
  if (isOfferDeclined() || state === 'unsupported' || state === 'refused') return null
  const answer = await fetch(withBasePath('/api/push'))
  return answer.ok ? (await answer.json()).publicKey : null
}
