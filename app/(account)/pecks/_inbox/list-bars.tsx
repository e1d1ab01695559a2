'use client'

import { Check, Keyboard, X } from 'lucide'
import { useEffect, useRef } from 'react'
import { openHelp } from '@/app/_shell/shortcuts/open-help'
import { buttonClass } from '@/components/ui/button-class'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'
import type { BulkDecision } from './bulk'

export const selectAllId = 'inbox-select-all'

interface SelectAllProps {
  checked: number
  open: number
  isFiltered: boolean
  /** All rows are there. */
  isWhole: boolean
  onCheckAll: (isOn: boolean) => void
}

/** Selects all rows that the filters match. */
export function SelectAll({ checked, open, isFiltered, isWhole, onCheckAll }: SelectAllProps) {
  const box = useRef<HTMLInputElement>(null)
  const isAll = checked > 0 && checked === open
  useEffect(() => {
    if (box.current) box.current.indeterminate = checked > 0 && checked < open
  }, [checked, open])
  return (
    <label className="flex min-h-11 items-center text-sm">
      <span className="grid w-9 place-items-center">
        <input
          ref={box}
          id={selectAllId}
          type="checkbox"
          checked={isAll}
          disabled={!isWhole}
          onChange={() => onCheckAll(!isAll)}
          className="size-4.5 accent-accent"
        />
      </span>
      <span className={checked > 0 ? 'visually-hidden' : 'whitespace-nowrap'}>
        {isFiltered ? m.inbox_select_all_that_match() : m.inbox_select_all()}
        {open.toLocaleString(readersLocale())}
      </span>
    </label>
  )
}

interface BulkBarProps {
  /** How many requests are selected. */
  count: number
  /** Asks about all of them. */
  onAsk: (decision: BulkDecision) => void
}

/** What can be done with the selected requests. */
export function BulkBar({ count, onAsk }: BulkBarProps) {
  if (count === 0) return null
  return (
    <div className="flex flex-1 flex-wrap items-center gap-2">
      <p role="status" className="me-auto text-sm font-semibold whitespace-nowrap">
        {m.inbox_count_selected({ count: count.toLocaleString(readersLocale()) })}
      </p>
      <button
        type="button"
        onClick={() => onAsk('approve')}
        className={buttonClass('plain', 'px-3 max-sm:px-2')}
      >
        <Icon of={Check} size={17} className="max-sm:hidden" /> {m.inbox_approve()}
      </button>
      <button
        type="button"
        onClick={() => onAsk('reject')}
        className={buttonClass('plain', 'px-3 max-sm:px-2')}
      >
        <Icon of={X} size={17} className="max-sm:hidden" /> {m.inbox_reject()}
      </button>
    </div>
  )
}

/** Opens the help for shortcuts. */
export function HelpButton() {
  return (
    <button
      type="button"
      onClick={openHelp}
      aria-haspopup="dialog"
      title={m.inbox_keyboard_shortcuts()}
      className="grid size-11 place-items-center rounded-control text-soft hover:bg-sunken hover:text-ink max-lg:hidden"
    >
      <Icon of={Keyboard} size={19} />
      <span className="visually-hidden">{m.inbox_shortcuts_help_label()}</span>
    </button>
  )
}
