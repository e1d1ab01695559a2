'use client'

import { Pause, Play } from 'lucide'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { withBasePath } from '@/components/base-path'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'

const everySeconds = 30

/**
 * Measures the round trip to the service and refreshes the page, every 30 seconds until paused. When the service does not answer,
 * the page stays as it is, because a browser's error page says less.
 */
export function AutoRefresh() {
  const router = useRouter()
  const [isPaused, setIsPaused] = useState(false)
  const [roundTrip, setRoundTrip] = useState<string | null>(null)
  useEffect(() => {
    if (isPaused) return
    async function measure(isFirst: boolean) {
      if (document.visibilityState !== 'visible') return
      const started = performance.now()
      const answer = await fetch(withBasePath('/beak/'), { cache: 'no-store' }).catch(() => null)
      setRoundTrip(
        answer?.ok
          ? m.status_milliseconds_ms({ milliseconds: Math.max(1, Math.round(performance.now() - started)) })
          : m.status_no_answer(),
      )
      if (answer?.ok && !isFirst) router.refresh()
    }
    void measure(true)
    const timer = setInterval(() => void measure(false), everySeconds * 1000)
    return () => clearInterval(timer)
  }, [isPaused, router])
  return (
    <div>
      <dl>
        <dt className="text-sm text-soft">{m.status_round_trip()}</dt>
        <dd className="mt-1 font-display text-2xl font-semibold">{roundTrip ?? '…'}</dd>
      </dl>
      <button
        type="button"
        onClick={() => setIsPaused(!isPaused)}
        className={`-my-2 inline-flex min-h-11 items-center gap-1.5 text-sm text-soft underline decoration-line hover:text-ink ${roundTrip === null ? 'invisible' : ''}`}
      >
        {isPaused ? <Icon of={Play} size={14} /> : <Icon of={Pause} size={14} />}
        {isPaused ? m.status_resume_auto_refresh() : m.status_pause_auto_refresh()}
      </button>
    </div>
  )
}
