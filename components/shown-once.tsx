'use client'

import { Check, Download, TriangleAlert } from 'lucide'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import { saveFile } from './save-file'
import { Button } from './ui/button'
import { CopyBlock } from './ui/copy'

/** While `isActive`, asks before the person leaves the page by closing it, reloading it or following a link. */
function useLeaveWarning(isActive: boolean, question: string): void {
  useEffect(() => {
    if (!isActive) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    // The router changes pages without an unload event. Runs in the capture phase, before the handlers of React.
    const ask = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (!link || link.hasAttribute('download') || event.ctrlKey || event.metaKey || event.shiftKey) return
      if (link.getAttribute('href')?.startsWith('#') || window.confirm(question)) return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('beforeunload', warn)
    window.addEventListener('click', ask, true)
    return () => {
      window.removeEventListener('beforeunload', warn)
      window.removeEventListener('click', ask, true)
    }
  }, [isActive, question])
}

interface ShownOnceProps {
  title: string
  children?: ReactNode
  secrets: { label: string; text: string; copyLabel: string }[]
  /** Offers the secrets as a file, too. */
  file?: { name: string; text: string }
  /** A secret was copied as a part of something else, so its owner has saved it. */
  isCopied?: boolean
  /** Leaves the focus where it is. Otherwise the title takes it, because this is the answer to a form. */
  keepsFocus?: boolean
}

/**
 * Shows secrets that cannot be read again later. Until the person has copied, downloaded or confirmed them, leaving the page
 * asks first.
 */
export function ShownOnce({ title, children, secrets, file, isCopied = false, keepsFocus }: ShownOnceProps) {
  const [isSaved, setIsSaved] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const isSafe = isSaved || isCopied
  const markSaved = () => setIsSaved(true)
  useLeaveWarning(!isSafe, m.common_shown_once_leave_question())
  useEffect(() => {
    if (!keepsFocus) heading.current?.focus()
  }, [keepsFocus])
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
      {secrets.map((secret) => (
        <CopyBlock key={secret.label} {...secret} onCopied={markSaved} />
      ))}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        {file ? <FileButton {...file} onSaved={markSaved} /> : null}
        <p role="status" className={`flex items-center gap-2 text-sm ${isSafe ? 'text-good' : 'text-warn'}`}>
          {isSafe ? (
            <>
              <Icon of={Check} size={16} className="shrink-0" />
              {m.common_shown_once_saved_note()}
            </>
          ) : (
            <>
              <Icon of={TriangleAlert} size={16} className="shrink-0" />
              {m.common_shown_once_unsaved_note()}
            </>
          )}
        </p>
        {isSafe ? null : (
          <Button kind="quiet" onClick={markSaved}>
            {m.common_ive_saved_it()}
          </Button>
        )}
      </div>
    </section>
  )
}

function FileButton({ name, text, onSaved }: { name: string; text: string; onSaved: () => void }) {
  function download() {
    saveFile(new Blob([text], { type: 'text/plain' }), name)
    onSaved()
  }
  return (
    <Button onClick={download}>
      <Icon of={Download} size={16} className="shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        <Sentence of={m.common_download_name} with={{ name }} />
      </span>
    </Button>
  )
}
