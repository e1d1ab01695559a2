import type { ReactNode } from 'react'

interface DialogButtonsProps {
  /** Leaves everything as it is: Cancel or Close. */
  safe: ReactNode
  /** Does what the dialog asks about. */
  children?: ReactNode
  className?: string
}

/**
 * The last row of every dialog that asks: the safe choice comes first, for the eye and for the keyboard. On a phone they are below each other,
 * of one width. Stays in view while a long dialog scrolls.
 */
export function DialogButtons({ safe, children, className = '' }: DialogButtonsProps) {
  return (
    <div
      className={`sticky bottom-0 -mb-3 flex flex-wrap gap-3 bg-surface py-3 max-sm:grid max-sm:[&_button]:w-full ${className}`}
    >
      {safe}
      {children}
    </div>
  )
}
