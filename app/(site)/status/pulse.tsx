'use client'

import { Pause, Play } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { withBasePath } from '@/app/_web/base-path'

const everySeconds = 30

/**
 * Measures the way from here to the service and back, and has the page look again, twice a minute, until told to stop. What is
 * shown is replaced where it stands. A service that does not answer leaves the page as it was: a browser's error page says less.
 */
export function Pulse() {
  const router = useRouter()
  const [isPaused, setIsPaused] = useState(false)
  const [way, setWay] = useState<string | null>(null)
  useEffect(() => {
    if (isPaused) return
    async function look(isFirst: boolean) {
      if (document.visibilityState !== 'visible') return
      const started = performance.now()
      const answer = await fetch(withBasePath('/beak/'), { cache: 'no-store' }).catch(() => null)
      setWay(answer?.ok ? `${Math.max(1, Math.round(performance.now() - started))} ms` : 'no answer')
      if (answer?.ok && !isFirst) router.refresh()
    }
    void look(true)
    const timer = setInterval(() => void look(false), everySeconds * 1000)
    return () => clearInterval(timer)
  }, [isPaused, router])
  return (
    <div>
      <dl>
        <dt className="text-sm text-soft">From you and back</dt>
        <dd className="mt-1 font-display text-2xl font-semibold">{way ?? '…'}</dd>
      </dl>
      <button
        type="button"
        onClick={() => setIsPaused(!isPaused)}
        className={`-my-2 inline-flex min-h-11 items-center gap-1.5 text-sm text-soft underline decoration-line hover:text-ink ${way === null ? 'invisible' : ''}`}
      >
        {isPaused ? <Play aria-hidden="true" size={14} /> : <Pause aria-hidden="true" size={14} />}
        {isPaused ? 'Look again every 30 s' : 'Stop looking every 30 s'}
      </button>
    </div>
  )
}
