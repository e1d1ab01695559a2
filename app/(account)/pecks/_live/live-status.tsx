'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { type Change, type Connection, followPecks } from './follow-pecks'

const labels: Record<Connection, string> = {
  connecting: 'Connecting …',
  live: 'Live',
  polling: 'Reconnecting. Updates may be late.',
}
const dots: Record<Connection, string> = { connecting: 'bg-edge', live: 'bg-good', polling: 'bg-warn' }

/** Reloads the page data when a peck of the viewer changes, and shows whether the connection is live. */
export function LiveStatus({
  ducklingId,
  onChange,
}: {
  ducklingId: string
  onChange?: (change: Change) => void
}) {
  const router = useRouter()
  const [connection, setConnection] = useState<Connection>('connecting')
  const report = useRef(onChange)
  useEffect(() => {
    report.current = onChange
  })
  useEffect(() => {
    const { reload, cancel } = throttled(() => router.refresh())
    const stop = followPecks(ducklingId, {
      onChange: (change) => {
        report.current?.(change)
        reload()
      },
      onReload: reload,
      onConnection: setConnection,
    })
    return () => {
      cancel()
      stop()
    }
  }, [ducklingId, router])
  return (
    <p className="no-print flex items-center gap-2 text-xs text-soft" data-connection={connection}>
      <span aria-hidden="true" className={`size-2 rounded-full ${dots[connection]}`} />
      {labels[connection]}
    </p>
  )
}

const reloadPauseMilliseconds = 150

/** Runs `work` at once, and at most once per pause. A call during the pause runs when the pause ends. */
function throttled(work: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDue = false
  function reload() {
    if (timer !== undefined) {
      isDue = true
      return
    }
    work()
    timer = setTimeout(() => {
      timer = undefined
      if (isDue) reload()
      isDue = false
    }, reloadPauseMilliseconds)
  }
  return { reload, cancel: () => clearTimeout(timer) }
}
