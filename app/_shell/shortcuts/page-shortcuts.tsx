'use client'

import { useRouter } from 'next/navigation'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { Sentence } from '@/components/sentence'
import { m } from '@/lib/kernel/messages'
import type { AccountPage } from '../account-pages'
import { useHelpRequests } from './open-help'
import { useShortcutChoice } from './shortcut-choice'
import { goPages, isPressed, pageShortcuts } from './shortcuts'
import { isTaken, useShortcuts } from './use-shortcuts'

const ShortcutHelp = lazyPart(() => import('./shortcut-help'))

/** The shortcuts of every page of the account: `g` and a letter for a page, and the help. */
export function PageShortcuts({ isBuilder }: { isBuilder: boolean }) {
  const [isHelpOpen, setIsHelpOpen] = useState(false)
  const pages = useMemo(() => goPages(isBuilder), [isBuilder])
  const isGoing = useGoKeys(pages)
  useShortcuts({ help: () => setIsHelpOpen(true) })
  useHelpRequests(() => setIsHelpOpen(true))
  return (
    <>
      <div
        role="status"
        className="no-print fixed inset-x-4 bottom-[calc(1rem+var(--bar-height))] z-40 mx-auto w-fit"
      >
        {isGoing ? <GoHint pages={pages} /> : null}
      </div>
      {isHelpOpen ? (
        <Suspense fallback={null}>
          <ShortcutHelp pages={pages} onClose={() => setIsHelpOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

/** The pages and their letters, while the second key is awaited. */
function GoHint({ pages }: { pages: AccountPage[] }) {
  return (
    <div className="max-w-3xl rounded-card border border-line bg-surface px-4 py-3 text-sm shadow-card">
      <p className="mb-2 font-semibold">{m.keys_go_to_page()}</p>
      <ul className="flex flex-wrap gap-x-4 gap-y-2">
        {pages.map(({ letter, label }) => (
          <li key={letter}>
            <kbd translate="no" className="rounded-control border border-edge bg-sunken px-1.5 py-0.5">
              {letter}
            </kbd>{' '}
            {label()}
          </li>
        ))}
        <li className="text-soft">
          <Sentence
            of={m.keys_esc_cancel}
            parts={{
              kbd: (children) => (
                <kbd translate="no" className="rounded-control border border-edge bg-sunken px-1.5 py-0.5">
                  {children}
                </kbd>
              ),
            }}
          />
        </li>
      </ul>
    </div>
  )
}

/**
 * Goes to a page with `g` and its letter. Returns whether the letter is awaited. The wait has no time limit, and the next letter never
 * reaches the page: `g` and a late `a` must not approve a request.
 */
function useGoKeys(pages: AccountPage[]): boolean {
  const { isOn } = useShortcutChoice()
  const router = useRouter()
  const [isGoing, setIsGoing] = useState(false)
  const isWaiting = useRef(false)
  useEffect(() => {
    if (!isOn) return
    function wait(next: boolean) {
      if (isWaiting.current === next) return
      isWaiting.current = next
      setIsGoing(next)
    }
    function onKey(event: KeyboardEvent) {
      if (!isWaiting.current) {
        if (isTaken(event) || event.repeat || !isPressed(pageShortcuts.go, event)) return
        event.preventDefault()
        return wait(true)
      }
      if (['Shift', 'CapsLock', 'Control', 'Alt', 'Meta'].includes(event.key) || event.repeat) return
      wait(false)
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const isLetter = [...event.key].length === 1
      if (isLetter || event.key === 'Escape') event.preventDefault()
      const page = pages.find(({ letter }) => letter === event.key.toLowerCase())
      if (page !== undefined) router.push(page.href)
    }
    const end = () => wait(false)
    // Before the handlers of the page, which ignore keys that were used here.
    document.addEventListener('keydown', onKey, true)
    document.addEventListener('pointerdown', end, true)
    window.addEventListener('blur', end)
    return () => {
      end()
      document.removeEventListener('keydown', onKey, true)
      document.removeEventListener('pointerdown', end, true)
      window.removeEventListener('blur', end)
    }
  }, [isOn, router, pages])
  return isGoing
}
