'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { type Change, type Connection, followPecks } from './follow'

const words: Record<Connection, string> = {
  connecting: 'Connecting …',
  live: 'Live',
  polling: 'Not live: looking again now and then',
}
const dots: Record<Connection, string> = { connecting: 'bg-edge', live: 'bg-good', polling: 'bg-warn' }

/** At most one reading in this time, however much happens. */
const pauseMilliseconds = 150

/** Keeps the page in step with the viewer's pecks, and says whether it does. */
export function Live({ ducklingId, onChange }: { ducklingId: string; onChange?: (change: Change) => void }) {
  const router = useRouter()
  const [connection, setConnection] = useState<Connection>('connecting')
  const report = useRef(onChange)
  useEffect(() => {
    report.current = onChange
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isDue = false
    function look() {
      if (timer !== undefined) {
        isDue = true
        return
      }
      router.refresh()
      timer = setTimeout(() => {
        timer = undefined
        if (isDue) look()
        isDue = false
      }, pauseMilliseconds)
    }
    const leave = followPecks(ducklingId, {
      onChange: (change) => {
        report.current?.(change)
        look()
      },
      onLook: look,
      onConnection: setConnection,
    })
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [ducklingId, router])
  return (
    <p className="no-print flex items-center gap-2 text-xs text-soft" data-connection={connection}>
      <span aria-hidden="true" className={`size-2 rounded-full ${dots[connection]}`} />
      {words[connection]}
    </p>
  )
}
