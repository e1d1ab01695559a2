'use client'

import type { ReactNode } from 'react'
import { openHelp } from './open-help'

/** A button that opens the help for shortcuts. */
export function ShortcutsItem({ className, children }: { className: string; children: ReactNode }) {
  return (
    <button type="button" onClick={openHelp} className={className}>
      {children}
    </button>
  )
}
