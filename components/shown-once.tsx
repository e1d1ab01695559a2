'use client'

import { Check, Download, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLeaveWarning } from './leave-warning'
import { saveFile } from './save-file'
import { Button } from './ui/button'
import { CopyBlock } from './ui/copy'

interface ShownOnceProps {
  title: string
  children?: ReactNode
  /** One that can be made anew at any time counts for nothing: the others have to be kept. */
  secrets: { label: string; text: string; copyLabel: string; isRenewable?: boolean }[]
  /** The same as a file, for those who would rather keep that. */
  file?: { name: string; text: string }
  /** It has shown that somebody has them. */
  isInUse?: boolean
  /** Where a heading above has the focus; otherwise the title takes it, since it answers what was just sent. */
  isBelowFocus?: boolean
}

/**
 * Secrets that are in this answer and nowhere else: not in an address, not in storage, not in the page when it is asked for
 * again. Until they have been kept, leaving asks first.
 */
export function ShownOnce({ title, children, secrets, file, isInUse = false, isBelowFocus }: ShownOnceProps) {
  const [isKept, setIsKept] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const isSafe = isKept || isInUse
  const keep = () => setIsKept(true)
  useLeaveWarning(!isSafe, 'What is shown here is shown this once. Leave without it?')
  useEffect(() => {
    if (!isBelowFocus) heading.current?.focus()
  }, [isBelowFocus])
  return (
    <section
      aria-label={title}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 rounded-card border border-edge bg-surface p-5 sm:p-7"
    >
      <div className="max-w-2xl">
        <h2 ref={heading} tabIndex={-1} className="text-lg">
          {title}
        </h2>
        <div className="mt-1 text-sm text-soft">{children}</div>
      </div>
      {secrets.map(({ isRenewable, ...secret }) => (
        <CopyBlock key={secret.label} {...secret} {...(isRenewable ? {} : { onCopied: keep })} />
      ))}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        {file ? <FileButton {...file} onKept={keep} /> : null}
        <p role="status" className={`flex items-center gap-2 text-sm ${isSafe ? 'text-good' : 'text-warn'}`}>
          {isSafe ? (
            <>
              <Check aria-hidden="true" size={16} className="shrink-0" />
              {isInUse ? 'It is in use.' : 'Kept.'} You can leave this page.
            </>
          ) : (
            <>
              <TriangleAlert aria-hidden="true" size={16} className="shrink-0" />
              Not kept yet. Leaving this page loses it.
            </>
          )}
        </p>
        {isSafe ? null : (
          <Button kind="quiet" onClick={keep}>
            I have kept it
          </Button>
        )}
      </div>
    </section>
  )
}

function FileButton({ name, text, onKept }: { name: string; text: string; onKept: () => void }) {
  function download() {
    saveFile(new Blob([text], { type: 'text/plain' }), name)
    onKept()
  }
  return (
    <Button onClick={download}>
      <Download aria-hidden="true" size={16} className="shrink-0" />
      <span className="min-w-0 wrap-anywhere">Download {name}</span>
    </Button>
  )
}
