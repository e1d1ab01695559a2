'use client'

import { buttonClass } from '@/components/ui/button-class'
import { m } from '@/lib/kernel/messages'
import { type Filters, hasFilters, inboxPath } from './filters'
import { BulkBar, SelectAll } from './list-bars'
import { ColumnHeads, RequestList } from './request-list'
import type { InboxState } from './use-inbox'

interface ListPaneProps {
  inbox: InboxState
  filters: Filters
  /** How many requests match the filters. */
  matching: number
  isAllShown: boolean
  now: number
  className: string
}

/** The list of requests, with what can be done with several of them. */
export function ListPane({ inbox, filters, matching, isAllShown, now, className }: ListPaneProps) {
  const { list, selection, bulk } = inbox
  const { checked, open, groups } = list
  const answered = list.shown.length - open.size
  return (
    <section
      aria-label={m.inbox_list_of_requests()}
      className={`relative flex min-h-0 min-w-0 flex-col lg:col-start-1 lg:border-e lg:border-line lg:pe-2 ${className}`}
    >
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 px-1">
        <SelectAll
          checked={checked.size}
          open={open.size}
          isFiltered={hasFilters(filters)}
          isWhole={list.isWhole}
          onCheckAll={list.checkAll}
        />
        <BulkBar count={checked.size} onAsk={bulk.ask} />
        {answered > 0 && checked.size === 0 ? (
          <button type="button" onClick={list.dropGone} className={buttonClass('quiet', 'px-2 font-normal')}>
            {m.inbox_hide_answered_answered({ answered })}
          </button>
        ) : null}
        {checked.size === 0 ? <ColumnHeads /> : null}
      </div>
      <ShowBufferedButton count={list.buffered.length} onClick={list.showBuffered} />
      {/* The space at the end is as high as the message after a decision, which would cover the last row. */}
      <div data-scroll className="min-h-0 flex-1 lg:overflow-y-auto lg:pb-16">
        <RequestList
          list={list.list}
          groups={groups}
          missing={list.isWhole ? 0 : Math.max(0, matching - open.size)}
          outcomes={list.outcomes}
          selected={selection.selected}
          checked={checked}
          sort={filters.sort}
          now={now}
          isSettling={list.isSettling}
          pathOfAll={isAllShown ? null : inboxPath(filters, { isList: true, isAllShown: true })}
          onSelect={selection.openRow}
          onCheck={list.check}
        />
      </div>
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
