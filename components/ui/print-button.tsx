'use client'

import { Printer } from 'lucide'
import { Icon } from '@/components/ui/icon'
import { buttonClass } from './button'

/** A button that prints the current page. */
export function PrintButton({ children }: { children: string }) {
  return (
    <button type="button" onClick={() => window.print()} className={buttonClass('plain')}>
      <Icon of={Printer} size={16} />
      {children}
    </button>
  )
}
