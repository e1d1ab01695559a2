'use client'

import { Search } from 'lucide'
import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { Icon } from '@/components/ui/icon'
import { Modal } from '@/components/ui/modal'
import { isDialogOpen } from '@/components/ui/open-dialog'
import { m } from '@/lib/kernel/messages'

const importPalette = () => import('./palette')
const Palette = lazyPart(importPalette)

/** Loads the palette early, when it is about to be opened. */
const prepare = () => void importPalette().catch(() => undefined)

/** Opens the command palette, also with Ctrl K or ⌘ K. The palette is loaded when it opens. */
export function PaletteButton() {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key === 'Control' || event.key === 'Meta') prepare()
      const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (!isShortcut || event.key.toLowerCase() !== 'k' || event.defaultPrevented) return
      event.preventDefault()
      // Two dialogs at once would confuse.
      if (!isDialogOpen()) setIsOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        onPointerEnter={prepare}
        onFocus={prepare}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title={m.palette_go_to_ctrl_k()}
        className="inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-control px-2 text-sm whitespace-nowrap text-soft hover:bg-sunken hover:text-ink noscript:hidden"
      >
        <Icon of={Search} size={18} className="shrink-0" />
        <span className="max-xl:sr-only">{m.palette_go_to()}</span>
        <kbd translate="no" className="rounded-control border border-line px-1.5 text-xs max-xl:hidden">
          Ctrl K
        </kbd>
      </button>
      {isOpen ? (
        // The dialog opens at once, so that keys typed meanwhile do not reach the page below.
        <Modal
          title={m.palette_go_to()}
          isTitleHidden
          onClose={() => setIsOpen(false)}
          className="mt-[12dvh]"
        >
          <Suspense fallback={<p className="px-5 py-4 text-soft">{m.palette_loading()}</p>}>
            <Palette onClose={() => setIsOpen(false)} />
          </Suspense>
        </Modal>
      ) : null}
    </>
  )
}
