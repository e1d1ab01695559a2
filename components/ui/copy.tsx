'use client'

import { Check, Copy } from 'lucide'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import { buttonClass } from './button-class'

interface CopyProps {
  /** The text, or a function that returns it for the button. */
  text: string | ((button: HTMLElement) => string)
  label?: string
  /** Called after the text was copied. */
  onCopied?: () => void
}

/** A button that copies a text and confirms that for two seconds. */
export function CopyButton({ text, label = m.common_copy(), onCopied }: CopyProps) {
  const [copied, setCopied] = useState(false)
  async function copy({ currentTarget }: MouseEvent<HTMLElement>) {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text(currentTarget))
    setCopied(true)
    onCopied?.()
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <button type="button" onClick={copy} className={buttonClass('plain', 'shrink-0')}>
      {copied ? <Icon of={Check} size={16} /> : <Icon of={Copy} size={16} />}
      <span aria-live="polite">{copied ? m.common_copied() : label}</span>
    </button>
  )
}

/** A box with a text and a button that copies it. */
export function CopyBlock({
  text,
  label,
  copyLabel,
  isExpanded = false,
  onCopied,
}: Omit<CopyProps, 'label'> & {
  text: string
  label: ReactNode
  copyLabel?: string
  /** Shows a long text in full, without scrolling: for code that people read. */
  isExpanded?: boolean
}) {
  const heightLimit = isExpanded ? '' : 'max-h-56'
  return (
    <div className="rounded-card border border-line bg-sunken p-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="text-sm font-semibold">{label}</span>
        <CopyButton text={text} label={copyLabel} onCopied={onCopied} />
      </div>
      <pre
        translate="no"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable text must be reachable by keyboard
        tabIndex={0}
        className={`mt-2 overflow-auto whitespace-pre-wrap wrap-anywhere ${heightLimit}`}
      >
        {text}
      </pre>
    </div>
  )
}
