'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, useEffect, useRef, useTransition } from 'react'
import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button-class'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { selectAllId } from './bulk-bar'
import { type FilterChoice, type Filters, hasFilters, inboxPath, withoutFilters } from './filters'

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
              <option key={option.value} value={option.value}>
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
