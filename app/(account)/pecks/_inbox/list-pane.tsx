'use client'

import { buttonClass } from '@/components/ui/button-class'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { hour } from '@/lib/kernel/runtime/clock'
import { readersLocale } from '@/lib/kernel/text/time-words'
import { type Filters, hasFilters, inboxPath } from './filters'
import { BulkBar, SelectAll } from './list-bars'
import type { DetailViewer } from './request-detail'
import { ColumnHeads, RequestList } from './request-list'
import type { InboxAnswer } from './rows'
import { useGestures } from './use-gestures'
import type { InboxState } from './use-inbox'

interface ListPaneProps {
  inbox: InboxState
  viewer: DetailViewer
  filters: Filters
  /** How many requests match the filters, without those in the fold. */
  matching: number
  unknown: InboxAnswer['unknown'] | null
  isAllShown: boolean
  now: number
  className: string
}

/** The list of requests, with what can be done with several of them. */
export function ListPane({
  inbox,
  viewer,
  filters,
  matching,
  unknown,
  isAllShown,
  now,
  className,
}: ListPaneProps) {
  const { list, selection, bulk } = inbox
  const { checked, open, groups } = list
  const hint = useGestures(inbox, viewer)
  const answered = list.shown.length - open.size
  const asBefore = list.shown.flatMap(({ item: { id, isAsBefore } }) =>
    isAsBefore && open.has(id) && list.fold.reachable.has(id) ? [id] : [],
  )
  const ending = list.shown.filter(
    ({ item: { id, expiresAt } }) => list.fold.reachable.has(id) && Date.parse(expiresAt) - now < hour * 1000,
  ).length
  return (
    <section
      aria-label={m.inbox_list_of_requests()}
      className={`relative flex min-h-0 min-w-0 flex-col lg:col-start-1 lg:border-e lg:border-line lg:pe-2 ${className}`}
    >
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 px-1">
        <SelectAll
          checked={checked.size}
          open={list.isWhole ? list.fold.reachable.size : matching}
          isFiltered={hasFilters(filters)}
          isWhole={list.isWhole}
          onCheckAll={list.checkAll}
        />
        <BulkBar count={checked.size} onAsk={bulk.ask} />
        {asBefore.length > 1 && checked.size === 0 ? (
          <button
            type="button"
            onClick={() => bulk.askAsBefore(asBefore)}
            className={buttonClass('quiet', 'px-2')}
          >
            {m.inbox_approve_as_before({ count: asBefore.length.toLocaleString(readersLocale()) })}
          </button>
        ) : null}
        {ending > 0 && checked.size === 0 && filters.sort !== 'expiry' ? (
          <Link
            href={inboxPath({ ...filters, sort: 'expiry' })}
            className={buttonClass('quiet', 'px-2 text-warn')}
          >
            {m.inbox_ending_soon({ count: ending })}
          </Link>
        ) : null}
        {answered > 0 && checked.size === 0 ? (
          <button type="button" onClick={list.dropGone} className={buttonClass('quiet', 'px-2 font-normal')}>
            {m.inbox_hide_answered_answered({ answered })}
          </button>
        ) : null}
        {checked.size === 0 ? <ColumnHeads /> : null}
      </div>
      <ShowBufferedButton count={list.buffered.length} onClick={list.showBuffered} />
      <div data-scroll className="min-h-0 flex-1 lg:overflow-y-auto">
        <div className="relative">
          <div
            ref={hint}
            hidden
            aria-hidden="true"
            className="absolute inset-x-1 flex items-center rounded-control bg-sunken px-4 text-sm text-soft data-armed:font-semibold data-[side=end]:justify-end data-[action=approve]:data-armed:bg-good-wash data-[action=approve]:data-armed:text-good data-[action=reject]:data-armed:bg-bad-wash data-[action=reject]:data-armed:text-bad data-over:z-[2] [&[hidden]]:hidden"
          />
          <RequestList
            list={list.list}
            groups={groups}
            missing={list.isWhole ? 0 : Math.max(0, matching + (unknown?.pecks ?? 0) - open.size)}
            outcomes={list.outcomes}
            unknown={unknown}
            selected={selection.selected}
            checked={checked}
            fold={list.fold}
            sort={filters.sort}
            now={now}
            isSettling={list.isSettling}
            pathOfAll={isAllShown ? null : inboxPath(filters, { isAllShown: true })}
            onSelect={selection.openRow}
            onCheck={list.check}
          />
        </div>
        <p className="hidden px-3 pb-3 text-xs text-soft pointer-coarse:block">{m.inbox_gestures_hint()}</p>
      </div>
      <div data-undo-place="list" className="no-print max-lg:hidden" />
    </section>
  )
}

/** Takes no space, so that nothing moves when the button appears. */
function ShowBufferedButton({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <div className="sticky top-2 z-10 flex h-0 justify-center">
      {count > 0 ? (
        <button
          type="button"
          onClick={onClick}
          className={buttonClass('plain', 'h-11 translate-y-1 shadow-card')}
        >
          {count === 1 ? m.inbox_show_1_new_request() : m.inbox_show_count_new_requests({ count })}
        </button>
      ) : null}
    </div>
  )
}
