'use client'

import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '@/components/lazy-part'

const OfferCard = lazyPart(() => import('./offer-card'))

/**
 * Offers to get requests on this phone, beside an empty inbox: so after the first request was answered, and never while one waits. Loads
 * only in the browser, because the server does not know what the browser can do.
 */
export function PhoneOffer() {
  const [isMounted, setIsMounted] = useState(false)
  useEffect(() => setIsMounted(true), [])
  return isMounted ? (
    <Suspense fallback={null}>
      <OfferCard />
    </Suspense>
  ) : null
}
