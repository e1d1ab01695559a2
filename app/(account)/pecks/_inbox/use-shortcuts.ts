'use client'

import { useEffect, useRef } from 'react'
import { useShortcutChoice } from './shortcut-choice'

export interface Shortcut {
  key: string
  /** Whether a held key repeats it. Decisions never repeat. */
  repeats?: true
  run: () => void
}

const typing = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]'

/** Runs shortcuts of one key. Not while the person types or a dialog is open, not with Ctrl, Alt or Meta, and not when they are off. */
export function useShortcuts(shortcuts: Shortcut[]): void {
  const { isOn } = useShortcutChoice()
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  useEffect(() => {
    if (!isOn) return
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
        return
      const { target } = event
      if (target instanceof Element && target.closest(`${typing}, dialog, [role="alertdialog"]`)) return
      const found = latest.current.find(({ key }) => key === event.key)
      if (found === undefined || (event.repeat && !found.repeats)) return
      event.preventDefault()
      found.run()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOn])
}
