'use client'

import { useEffect, useRef } from 'react'
import { type InboxCommand, onCommand, takeCommand } from '@/app/_shell/palette/commands'

/** Carries out a command of the palette, once `isReady`: the list has all waiting requests. */
export function useCommand(isReady: boolean, run: (command: InboxCommand) => void): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    if (!isReady) return
    function take() {
      const command = takeCommand()
      if (command !== null) latest.current(command)
    }
    take()
    return onCommand(take)
  }, [isReady])
}
