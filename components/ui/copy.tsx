'use client'

import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { buttonClass } from './button-class'

interface CopyProps {
  text: string
  label?: string
  /** Called once the text has been taken along. */
  onCopied?: () => void
}

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, label = 'Copy', onCopied }: CopyProps) {
  const [copied, setCopied] = useState(false)
  async function copy() {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    onCopied?.()
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <button type="button" onClick={copy} className={buttonClass('plain', 'shrink-0')}>
      {copied ? <Check aria-hidden="true" size={16} /> : <Copy aria-hidden="true" size={16} />}
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </button>
  )
}

/** A value to take along, in full, with a button that copies it. */
export function CopyBlock({
  text,
  label,
  copyLabel,
  isWhole = false,
  onCopied,
}: CopyProps & {
  label: string
  copyLabel?: string
  /** Shows all of it, however long: for code that is there to be read. */
  isWhole?: boolean
}) {
  const room = isWhole ? '' : 'max-h-56'
  return (
    <div className="rounded-card border border-line bg-sunken p-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="text-sm font-semibold">{label}</span>
        <CopyButton text={text} label={copyLabel} onCopied={onCopied} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer */}
      <pre tabIndex={0} className={`mt-2 overflow-auto whitespace-pre-wrap wrap-anywhere ${room}`}>
        {text}
      </pre>
    </div>
  )
}
