'use client'

import { Printer } from 'lucide-react'
import { buttonClass } from './button'

/** A button that prints the current page. */
export function PrintButton({ children }: { children: string }) {
  return (
    <button type="button" onClick={() => window.print()} className={buttonClass('plain')}>
      <Printer aria-hidden="true" size={16} />
      {children}
    </button>
  )
}
