'use client'

import { useEffect, useRef, useState, useTransition } from 'react'
import { useReach } from '@/components/connection/reach'
import { useRefresh } from '@/components/connection/use-refresh'
import { m } from '@/lib/kernel/messages'
import { type Change, type Connection, followPecks } from './follow-pecks'

const labels: Record<Connection, string> = {
  get connecting() {
    return m.requests_connecting()
  },
  get live() {
    return m.requests_live()
  },
  get polling() {
    return m.requests_reconnecting()
  },
}

/** Reloads the page data when a peck of the viewer changes, and shows when the connection is not live. */
export function LiveStatus({
  ducklingId,
  onChange,
}: {
  ducklingId: string
  onChange?: (change: Change) => void
}) {
  const [followed, setConnection] = useState<Connection>('connecting')
  const isReached = useReach() === 'reached'
  const connection = isReached || followed === 'connecting' ? followed : 'polling'
  const report = useRef(onChange)
  const [isReloading, startReload] = useTransition()
  const isBusy = useRef(isReloading)
  const refresh = useRefresh(startReload)
  useEffect(() => {
    report.current = onChange
    isBusy.current = isReloading
  })
  useEffect(() => {
    const { reload, cancel } = throttled(refresh, () => isBusy.current)
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
  }, [ducklingId, refresh])
  return (
    <p
      className={`no-print items-center gap-2 text-xs text-soft ${connection === 'polling' ? 'flex' : 'hidden'}`}
      data-connection={connection}
    >
      <span aria-hidden="true" className="size-2 rounded-full bg-warn" />
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
