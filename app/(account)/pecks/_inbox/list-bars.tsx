'use client'

import { Check, Keyboard, X } from 'lucide'
import { useRouter } from 'next/navigation'
import { type FormEvent, useEffect, useRef, useTransition } from 'react'
import { openHelp } from '@/app/_shell/shortcuts/open-help'
import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button-class'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'
import type { BulkDecision } from './bulk'
import { type FilterChoice, type Filters, hasFilters, inboxPath, withoutFilters } from './filters'

const selectAllId = 'inbox-select-all'

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

interface FilterBarProps {
  filters: Filters
  choices: FilterChoice[]
  /** A narrow screen shows the list. */
  isList: boolean
}

/** How long after the last letter the search begins. */
const typingMilliseconds = 200
const control = 'min-h-11 rounded-control border border-edge bg-surface px-3 py-2 text-sm text-ink'
export const searchId = 'inbox-search'

/** Search, filters and the order, kept in the address. Without scripts, a form with a button. */
export function FilterBar({ filters, choices, isList }: FilterBarProps) {
  const { form, change, type, isPending } = useFilterForm(filters, isList)
  return (
    <search>
      <form
        ref={form}
        action={withBasePath('/pecks')}
        aria-busy={isPending}
        onSubmit={(event) => {
          event.preventDefault()
          change('push')
        }}
        className="relative flex flex-wrap items-center gap-2"
      >
        <input type="hidden" name="view" value="list" />
        {filters.list === '' ? null : <input type="hidden" name="list" value={filters.list} />}
        <input
          id={searchId}
          type="search"
          name="q"
          aria-label={m.inbox_search_requests()}
          placeholder={m.inbox_search()}
          defaultValue={filters.q}
          maxLength={100}
          autoComplete="off"
          onInput={type}
          className={`${control} min-w-40 flex-1 lg:max-xl:min-w-32 placeholder:text-soft lg:max-w-72`}
        />
        <a
          href={`#${selectAllId}`}
          onClick={(event) => {
            event.preventDefault()
            document.getElementById(selectAllId)?.focus()
          }}
          className={buttonClass(
            'plain',
            'not-focus:sr-only focus:absolute focus:start-0 focus:z-10 noscript:hidden',
          )}
        >
          {m.inbox_skip_to_the_list()}
        </a>
        {choices.map(({ name, label, anything, options }) => (
          <select
            key={name}
            name={name}
            aria-label={label}
            defaultValue={filters[name]}
            onChange={() => change('push')}
            className={`${control} max-w-34 min-w-0 lg:max-xl:max-w-28 truncate px-2 max-sm:flex-1 max-sm:basis-[45%] max-sm:max-w-none ${filters[name] === '' ? '' : 'border-accent font-semibold'}`}
          >
            <option value="">{anything}</option>
            {options.map((option) => (
              <option
                key={option.value}
                value={option.value}
                translate={name === 'asker' || option.label.startsWith('“') ? 'no' : undefined}
              >
                {option.label}
              </option>
            ))}
          </select>
        ))}
        <noscript>
          <button type="submit" className={buttonClass()}>
            {m.inbox_apply()}
          </button>
        </noscript>
        {hasFilters(filters) ? (
          <Link
            href={inboxPath(withoutFilters(filters), { isList })}
            className={buttonClass('quiet', 'px-2')}
          >
            {m.inbox_clear_filters()}
          </Link>
        ) : null}
      </form>
    </search>
  )
}

/** Puts the filters into the address. The first letter of a search and each choice add a step for Back. Further letters add none. */
function useFilterForm(filters: Filters, isList: boolean) {
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isPending, startTransition] = useTransition()
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    // After Back. What a person types meanwhile stays.
    for (const [name, value] of Object.entries(filters)) {
      const field = fieldOf(form.current, name)
      if (field && (field !== document.activeElement || field instanceof HTMLSelectElement))
        field.value = value
    }
  }, [filters])

  function change(step: 'push' | 'replace') {
    clearTimeout(timer.current)
    if (!form.current) return
    const entries = Object.keys(filters).map((name) => [
      name,
      fieldOf(form.current, name)?.value.trim() ?? '',
    ])
    const path = inboxPath(Object.fromEntries(entries) as Filters, { isList })
    startTransition(() => router[step](path, { scroll: false }))
  }
  function type(_: FormEvent) {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => change(filters.q === '' ? 'push' : 'replace'), typingMilliseconds)
  }
  return { form, change, type, isPending }
}

function fieldOf(form: HTMLFormElement | null, name: string): HTMLInputElement | HTMLSelectElement | null {
  const field = form?.elements.namedItem(name)
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field : null
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
