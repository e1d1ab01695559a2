'use client'

import { useRouter } from 'next/navigation'
import { type KeyboardEvent, startTransition, useEffect, useId, useMemo, useState } from 'react'
import { withBasePath } from '@/components/base-path'
import { m } from '@/lib/kernel/messages'
import { chooseTheme, pauseEverything } from '../actions'
import { openHelp } from '../shortcuts/open-help'
import type { Theme } from '../theme'
import { giveCommand } from './commands'
import { entriesOf, findEntries } from './entries'
import type { PaletteData, PaletteEntry } from './entry'

const nothing: PaletteData = {
  isPasskeyRequired: false,
  isBuilder: false,
  isPaused: false,
  agents: [],
  requests: [],
}

/**
 * The content of the palette: goes to a page, an agent or a waiting request, or does something. A text field with a list of suggestions
 * (ARIA: combobox).
 */
export default function Palette({ onClose }: { onClose: () => void }) {
  const router = useRouter()
  const { data, state } = usePaletteData()
  const [text, setText] = useState('')
  const [place, setPlace] = useState(0)
  const [failed, setFailed] = useState('')
  const listId = useId()
  const entries = useMemo(() => entriesOf(data), [data])
  const found = useMemo(() => findEntries(entries, text), [entries, text])
  const active = Math.min(place, found.length - 1)
  const optionId = (index: number) => `${listId}-${index}`

  /** The palette stays, and says so, when the change failed. */
  async function change(make: () => Promise<void>, failure: string) {
    setFailed('')
    try {
      await make()
      onClose()
    } catch {
      setFailed(failure)
    }
  }
  const changeTheme = (theme: Theme) =>
    change(() => chooseTheme(theme), m.palette_the_theme_wasnt_changed_try_again())
  const pause = () => change(() => pauseEverything(), m.palette_pause_failed())
  function go(entry: PaletteEntry | undefined) {
    if (entry === undefined) return
    const { act } = entry
    if ('theme' in act) return startTransition(() => changeTheme(act.theme))
    if ('pauses' in act) return startTransition(pause)
    onClose()
    if ('href' in act) router.push(act.href)
    else if ('opens' in act) openHelp()
    // The whole inbox has all requests that the command names.
    else if (!giveCommand(act.command)) router.push('/pecks')
  }
  function onKey(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowDown: active + 1, ArrowUp: active - 1 + found.length }
    const step = steps[event.key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      setPlace(step % found.length)
      document.getElementById(optionId(step % found.length))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      go(found[active])
    }
  }

  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the person has just opened the palette to type
        autoFocus
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? optionId(active) : undefined}
        aria-autocomplete="list"
        aria-label={m.palette_page_action_agent_or_request()}
        placeholder={m.palette_page_action_agent_or_request()}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setPlace(0)
        }}
        onKeyDown={onKey}
        className="w-full border-b border-line bg-transparent px-5 py-4 text-base outline-none placeholder:text-soft"
      />
      <div
        id={listId}
        role="listbox"
        aria-label={m.palette_suggestions()}
        className="max-h-[50dvh] overflow-y-auto p-2"
      >
        {found.map((entry, index) => (
          <Option
            key={entry.key}
            id={optionId(index)}
            entry={entry}
            isActive={index === active}
            isFirstOfGroup={entry.group !== found[index - 1]?.group}
            onChoose={() => go(entry)}
          />
        ))}
      </div>
      <p role="status" className="px-5 pb-4 text-xs text-soft empty:hidden">
        {failed === '' ? statusWords(state, found.length) : failed}
      </p>
    </>
  )
}

function statusWords(state: 'loading' | 'loaded' | 'failed', found: number): string {
  if (state === 'loading') return m.palette_loading_agents_and_requests()
  if (state === 'failed') return m.palette_load_failed()
  return found === 0 ? m.palette_nothing_found_try_another_word() : ''
}

interface OptionProps {
  id: string
  entry: PaletteEntry
  isActive: boolean
  isFirstOfGroup: boolean
  onChoose: () => void
}

function Option({
  id,
  entry: { group, label, quoted, hint },
  isActive,
  isFirstOfGroup,
  onChoose,
}: OptionProps) {
  return (
    <>
      {isFirstOfGroup ? (
        <div role="presentation" className="px-3 pt-2 pb-1 text-xs font-semibold text-soft">
          {group}
        </div>
      ) : null}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={isActive}
        onClick={onChoose}
        // Keeps the focus in the text field.
        onPointerDown={(event) => event.preventDefault()}
        className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 py-1 text-sm hover:bg-sunken aria-selected:bg-accent-wash"
      >
        <span className="min-w-0 flex-1 truncate">
          <bdi translate="no" className="font-semibold">
            {label}
          </bdi>
          {quoted === undefined ? null : (
            <bdi translate="no" className="ms-2 text-soft">
              {quoted}
            </bdi>
          )}
        </span>
        <bdi translate="no" className="max-w-[45%] shrink-0 truncate text-xs text-soft">
          {hint}
        </bdi>
      </div>
    </>
  )
}

function usePaletteData() {
  const [data, setData] = useState(nothing)
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
  useEffect(() => {
    const leaving = new AbortController()
    fetch(withBasePath('/api/palette'), { signal: leaving.signal })
      .then(async (answer) => {
        if (!answer.ok) throw new Error(String(answer.status))
        setData((await answer.json()) as PaletteData)
        setState('loaded')
      })
      .catch(() => {
        if (!leaving.signal.aborted) setState('failed')
      })
    return () => leaving.abort()
  }, [])
  return { data, state }
}
