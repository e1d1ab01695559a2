'use client'

import { SlidersHorizontal } from 'lucide'
import { useRouter } from 'next/navigation'
import { useEffect, useId, useRef, useTransition } from 'react'
import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button-class'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Popup } from '@/components/ui/popup'
import { m } from '@/lib/kernel/messages'
import {
  countFilters,
  type FilterChoice,
  type Filters,
  hasFilters,
  inboxPath,
  withoutFilters,
} from './filters'
import { selectAllId } from './list-bars'

interface FilterBarProps {
  filters: Filters
  choices: FilterChoice[]
}

/** How long after the last letter the search begins. */
const typingMilliseconds = 200
const control = 'min-h-11 w-full rounded-control border border-edge bg-surface px-3 py-2 text-sm text-ink'
export const searchId = 'inbox-search'

/** One row: the search, and a button that opens the filters and the order. Kept in the address. Without scripts, a form with a button. */
export function FilterBar({ filters, choices }: FilterBarProps) {
  const { form, change, type, isPending } = useFilterForm(filters)
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
        className="relative flex items-center gap-2"
      >
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
          className={`${control} min-w-0 flex-1 placeholder:text-soft lg:max-w-72`}
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
        <FilterFold filters={filters} choices={choices} onChange={() => change('push')} />
        {hasFilters(filters) ? (
          <Link href={inboxPath(withoutFilters(filters))} className={buttonClass('quiet', 'shrink-0')}>
            {m.inbox_clear_filters()}
          </Link>
        ) : null}
      </form>
    </search>
  )
}

interface FilterFoldProps extends FilterBarProps {
  onChange: () => void
}

/** The button "Filter", with the number of filters that are set, and the filters in it. */
function FilterFold({ filters, choices, onChange }: FilterFoldProps) {
  const id = useId()
  const count = countFilters(filters)
  return (
    <Popup
      className="shrink-0 lg:relative"
      buttonClass={buttonClass('plain', count > 0 ? 'border-accent!' : '')}
      label={
        <>
          <Icon of={SlidersHorizontal} size={17} />
          {m.inbox_filter()}
          {count === 0 ? null : (
            <span className="rounded-full bg-accent px-1.5 text-xs text-accent-ink tabular-nums">
              {count}
              <span className="visually-hidden"> {m.inbox_filters_set()}</span>
            </span>
          )}
        </>
      }
    >
      <div className="absolute inset-x-0 top-full z-20 mt-2 grid gap-3 rounded-card border border-line bg-surface p-4 shadow-card sm:max-lg:grid-cols-2 lg:start-0 lg:end-auto lg:w-80">
        {choices.map(({ name, label, anything, options }) => (
          <div key={name} className="grid min-w-0 gap-1">
            <label htmlFor={`${id}-${name}`} className="text-sm font-semibold">
              {label}
            </label>
            <select
              id={`${id}-${name}`}
              name={name}
              defaultValue={filters[name]}
              onChange={onChange}
              className={`${control} ${filters[name] === '' ? '' : 'border-accent font-semibold'}`}
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
          </div>
        ))}
        <noscript>
          <button type="submit" className={buttonClass()}>
            {m.inbox_apply()}
          </button>
        </noscript>
      </div>
    </Popup>
  )
}

/** Puts the filters into the address. The first letter of a search and each choice add a step for Back. Further letters add none. */
function useFilterForm(filters: Filters) {
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
    const path = inboxPath(Object.fromEntries(entries) as Filters)
    startTransition(() => router[step](path, { scroll: false }))
  }
  function type() {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => change(filters.q === '' ? 'push' : 'replace'), typingMilliseconds)
  }
  return { form, change, type, isPending }
}

function fieldOf(form: HTMLFormElement | null, name: string): HTMLInputElement | HTMLSelectElement | null {
  const field = form?.elements.namedItem(name)
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field : null
}
