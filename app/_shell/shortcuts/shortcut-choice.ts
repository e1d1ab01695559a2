'use client'

import { useSyncExternalStore } from 'react'

/** Whether keys work as shortcuts without Ctrl or ⌘. Kept in this browser (WCAG 2.2, 2.1.4: a person must be able to turn them off). */
const storageKey = 'beak.shortcuts'
const changed = 'beak:shortcuts'

function areOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off'
  } catch {
    return true
  }
}

function subscribe(report: () => void): () => void {
  window.addEventListener(changed, report)
  window.addEventListener('storage', report)
  return () => {
    window.removeEventListener(changed, report)
    window.removeEventListener('storage', report)
  }
}

export function useShortcutChoice(): { isOn: boolean; turn: (isOn: boolean) => void } {
  const isOn = useSyncExternalStore(subscribe, areOn, () => true)
  return {
    isOn,
    turn(next) {
      try {
        localStorage.setItem(storageKey, next ? 'on' : 'off')
      } catch {
        // Without storage, the choice cannot be kept.
      }
      window.dispatchEvent(new Event(changed))
    },
  }
}
