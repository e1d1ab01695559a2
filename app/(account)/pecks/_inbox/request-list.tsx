'use client'

import { ChevronRight } from 'lucide'
import { type MouseEvent, type ReactNode, type RefObject, startTransition, useEffect, useState } from 'react'
import { withBasePath } from '@/components/base-path'
import { Duck } from '@/components/duck'
import { buttonClass } from '@/components/ui/button-class'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'
import { RiskShape, riskWord } from '../_decision/risk-mark'
import { FirstContact, OwnerLine } from '../_peck/owner-line'
import { AskerName, RequestRow } from './request-row'
import { firstLines, type Group, type InboxAnswer, type InboxRow, isMixed, type RenderedGroup } from './rows'
import type { Fold } from './use-groups'

interface RequestListProps {
  list: RefObject<HTMLUListElement | null>
  groups: Group<InboxRow>[]
  /** How many rows the page does not have yet. */
  missing: number
  outcomes: Record<string, string>
  /** How many people wait in the fold, and how many of their requests, also those that the page does not have yet. Null: there is none. */
  unknown: InboxAnswer['unknown'] | null
  selected: string | null
  checked: Set<string>
  /** The fold with the requests of strangers. */
  fold: Fold
  /** The order of the list. */
  sort: string
  now: number
  isSettling: boolean
  /** The address of the whole list. Null: this is it. */
  pathOfAll: string | null
  onSelect: (id: string) => void
  /** `isRange`: with the Shift key, up to the box that was changed before. */
  onCheck: (id: string, isRange: boolean) => void
}

/** Lines of 40 pixels or more: as much as a large window shows. The server renders no more, and the browser renders the rest when it starts. */
const firstLinesMax = 30

/** The waiting requests, one line for each, grouped by who asks, or by risk when they are sorted by risk. */
export function RequestList({ list, groups, missing, unknown, pathOfAll, ...props }: RequestListProps) {
  const { onSelect, onCheck, isSettling, ...state } = props
  useReadyMark(list)
  const isStarted = useStarted()
  const count = countOf(groups) + missing
  const ofStrangers = groups.filter(({ isStranger }) => isStranger)
  // Once all rows are there, they are newer than the numbers.
  const given = missing > 0 ? unknown : null
  const inFold = given?.pecks ?? countOf(ofStrangers)
  const partial = missing > 0 ? groups.at(-1) : undefined
  const max = isStarted || pathOfAll === null ? Number.POSITIVE_INFINITY : firstLinesMax
  const rendered = firstLines(groups, max)
  const known = rendered.filter(({ group }) => !group.isStranger)
  const strangers = rendered.filter(({ group }) => group.isStranger)
  const view = (part: RenderedGroup<InboxRow>) => (
    <RequestGroup key={part.group.key} isPartial={part.group === partial} {...part} {...state} />
  )
  function click(event: MouseEvent) {
    const target = event.target as Element
    const id = target.closest<HTMLElement>('[data-row]')?.dataset.row
    if (id === undefined || event.ctrlKey || event.metaKey || event.button !== 0) return
    if (target instanceof HTMLInputElement) return onCheck(id, event.shiftKey)
    const isLabel = target.closest('label') !== null
    // The browser would open the link in a new window, or select text.
    if (event.shiftKey && !isLabel) {
      event.preventDefault()
      return onCheck(id, true)
    }
    if (isLabel) return
    event.preventDefault()
    onSelect(id)
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the rows are links and boxes, which the keyboard clicks */}
      <ul
        ref={list}
        aria-label={m.inbox_pending_requests()}
        onClick={click}
        className={`group/list grid grid-cols-[minmax(0,1fr)] gap-3 px-1 pb-3 ${isSettling ? 'pointer-events-none' : ''}`}
      >
        {known.length === 0 ? (
          <>
            {strangers.map(view)}
            <ShowMore count={count - countOf(strangers)} path={pathOfAll} />
          </>
        ) : (
          <>
            {known.map(view)}
            <ShowMore count={count - inFold - countOf(known)} path={pathOfAll} />
            <Strangers groups={ofStrangers} unknown={given} {...state}>
              {strangers.map(view)}
              <ShowMore count={inFold - countOf(strangers)} path={pathOfAll} />
            </Strangers>
          </>
        )}
      </ul>
    </>
  )
}

const countOf = (parts: { rows: InboxRow[] }[]) => parts.reduce((sum, { rows }) => sum + rows.length, 0)

/** Leads to the whole list while some of it is not rendered. */
function ShowMore({ count, path }: { count: number; path: string | null }) {
  if (count <= 0 || path === null) return null
  return (
    <li>
      <a href={withBasePath(path)} className={buttonClass('quiet', 'px-2')}>
        {m.inbox_show_more({ count: count.toLocaleString(readersLocale()) })}
      </a>
    </li>
  )
}

interface StrangersProps extends Pick<RequestListProps, 'outcomes' | 'fold'> {
  /** The numbers, while rows are missing. */
  unknown: InboxAnswer['unknown'] | null
  groups: Group<InboxRow>[]
  children: ReactNode
}

/** The requests of people whom the viewer does not know, folded below the others. */
function Strangers({ groups, unknown, outcomes, fold, children }: StrangersProps) {
  const rows = groups.flatMap((group) => group.rows)
  if (rows.length === 0 && unknown === null) return null
  const open = unknown?.pecks ?? rows.filter(({ id }) => outcomes[id] === undefined).length
  const people = unknown?.people ?? new Set(rows.map(({ ownerId }) => ownerId)).size
  return (
    <li>
      <details
        open={fold.isOpen}
        onToggle={({ currentTarget }) => fold.toggle(currentTarget.open)}
        className="group/fold"
      >
        <summary
          ref={fold.summary}
          className="flex min-h-11 list-none items-center gap-2 rounded-control px-2 text-sm font-semibold hover:bg-sunken [&::-webkit-details-marker]:hidden"
        >
          <Icon of={ChevronRight} size={16} className="shrink-0 text-soft group-open/fold:rotate-90" />
          {m.inbox_strangers({ count: people })}{' '}
          <span className="font-normal text-soft tabular-nums">({open.toLocaleString(readersLocale())})</span>
        </summary>
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">{children}</ul>
      </details>
    </li>
  )
}

interface GroupProps
  extends Pick<RequestListProps, 'outcomes' | 'selected' | 'checked' | 'sort' | 'now'>,
    RenderedGroup<InboxRow> {
  /** Some of its rows may not be loaded yet. */
  isPartial: boolean
}

function RequestGroup({ group, rows, isPartial, outcomes, selected, checked, sort, now }: GroupProps) {
  const [first] = rows
  if (first === undefined) return null
  const open = group.rows.filter(({ id }) => outcomes[id] === undefined).length
  return (
    <li>
      <h2 className="sticky top-0 z-[1] flex min-h-10 items-center gap-2.5 border-b border-line bg-ground px-2 py-1 font-sans text-sm font-semibold tracking-normal">
        <GroupTitle first={first} sort={sort} now={now} />
        <span className="ms-auto shrink-0 font-normal text-soft tabular-nums">
          {isPartial ? `${open}+` : open}
          <span className="visually-hidden"> {m.inbox_waiting()}</span>
        </span>
      </h2>
      <ul>
        {rows.map((row) => (
          <RequestRow
            key={row.id}
            row={row}
            outcome={outcomes[row.id] ?? null}
            isSelected={row.id === selected}
            isChecked={checked.has(row.id)}
            isMixed={isMixed(sort)}
            now={now}
          />
        ))}
      </ul>
    </li>
  )
}

function GroupTitle({ first, sort, now }: { first: InboxRow; sort: string; now: number }) {
  if (sort === 'expiry') return <span>{m.inbox_least_time_left_first()}</span>
  if (sort === 'risk')
    return (
      <>
        <RiskShape level={first.risk} />
        <span>{riskWord(first.risk)}</span>
      </>
    )
  return (
    <>
      <Duck id={first.asker} size={26} />
      <span className="grid min-w-0">
        <span className="wrap-anywhere">
          <AskerName row={first} isHead />
        </span>
        {first.owner === null ? null : (
          <span className="flex flex-wrap items-center gap-x-2 text-xs font-normal text-soft">
            <OwnerLine owner={first.owner} now={now} />
            {first.isFirstContact ? <FirstContact /> : null}
          </span>
        )}
      </span>
    </>
  )
}

/** The heads of the columns of times. */
export function ColumnHeads() {
  return (
    <div
      aria-hidden="true"
      className="ms-auto grid grid-cols-[3rem_3rem] gap-x-2 pe-3 text-end text-xs whitespace-nowrap text-soft max-lg:hidden"
    >
      <span>{m.inbox_sent_ago()}</span>
      <span>{m.inbox_left()}</span>
    </div>
  )
}

/** Whether this window has started the inbox before. Then all rows are rendered at once, so that Back restores the scroll position. */
let hasStarted = false

/** Returns false on the server and in the first rendering of the browser, which must be the same, and then true. */
function useStarted(): boolean {
  const [isStarted, setIsStarted] = useState(hasStarted)
  useEffect(() => {
    hasStarted = true
    startTransition(() => setIsStarted(true))
  }, [])
  return isStarted
}

/** Shows the boxes once scripts handle them, without a new rendering of all rows. */
function useReadyMark(list: RefObject<HTMLUListElement | null>) {
  useEffect(() => {
    list.current?.setAttribute('data-ready', '')
  }, [list])
}
