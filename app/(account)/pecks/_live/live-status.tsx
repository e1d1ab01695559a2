'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState, useTransition } from 'react'
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
  const [isReloading, startReload] = useTransition()
  const isBusy = useRef(isReloading)
  useEffect(() => {
    report.current = onChange
    isBusy.current = isReloading
  })
  useEffect(() => {
    const { reload, cancel } = throttled(
      () => startReload(() => router.refresh()),
      () => isBusy.current,
    )
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

/** Runs `work` at once, then at most once per pause, and not while it `isBusy`. A call meanwhile runs afterwards. */
function throttled(work: () => void, isBusy: () => boolean) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDue = false
  function reload() {
    if (timer !== undefined) {
      isDue = true
      return
    }
    work()
    timer = setTimeout(endPause, reloadPauseMilliseconds)
  }
  function endPause() {
    timer = isBusy() ? setTimeout(endPause, reloadPauseMilliseconds) : undefined
    if (timer !== undefined || !isDue) return
    isDue = false
    reload()
  }
  return { reload, cancel: () => clearTimeout(timer) }
}
