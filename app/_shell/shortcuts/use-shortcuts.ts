'use client'

import { useEffect, useEffectEvent } from 'react'
import { isDialogOpen } from '@/components/ui/open-dialog'
import { useShortcutChoice } from './shortcut-choice'
import { isPressed, type ShortcutName, shortcutOf } from './shortcuts'

/** What each shortcut does. `false`: nothing, so that the key keeps its usual meaning. */
export type ShortcutBindings = Partial<Record<ShortcutName, (target: Element | null) => unknown>>

const typing = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]'

/** Whether a key is no shortcut: the person types, a dialog is open, or another handler has used the key. */
export function isTaken(event: KeyboardEvent): boolean {
  const { target } = event
  // The focus may be on the page although a dialog is open: a button of the dialog that had it is gone.
  if (event.defaultPrevented || event.isComposing || isDialogOpen()) return true
  return target instanceof Element && target.closest(typing) !== null
}

/**
 * Runs shortcuts of one key. Not while the person types or a dialog is open, and not when they are off. A key always fits the page that is on
 * the screen: with the bindings in a later effect, a press right after a change was lost.
 */
export function useShortcuts(bindings: ShortcutBindings): void {
  const { isOn } = useShortcutChoice()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isTaken(event)) return
    const names = Object.keys(bindings) as ShortcutName[]
    const name = names.find((one) => isPressed(shortcutOf(one), event))
    if (name === undefined || (event.repeat && !shortcutOf(name).repeats)) return
    const target = event.target instanceof Element ? event.target : null
    if (bindings[name]?.(target) !== false) event.preventDefault()
  })
  useEffect(() => {
    if (!isOn) return
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOn])
}
