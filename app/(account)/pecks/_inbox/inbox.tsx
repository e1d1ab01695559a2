'use client'

import { lazy, type ReactNode, Suspense } from 'react'
import { buttonClass } from '@/components/ui/button-class'
import { Link } from '@/components/ui/link'
import { Empty } from '@/components/ui/surface'
import { LiveStatus } from '../_live/live-status'
import { CardPager, DetailPane, prepareDetail, type RenderedRequest } from './detail-pane'
import { FilterBar, searchId } from './filter-bar'
import { type FilterChoice, type Filters, hasFilters, inboxPath } from './filters'
import { HelpButton, useHelp } from './help-button'
import { ListPane } from './list-pane'
import type { DetailViewer } from './request-detail'
import { type InboxData, type InboxState, useInbox } from './use-inbox'
import { useNow } from './use-now'
import { useShortcuts } from './use-shortcuts'
import { useView } from './use-view'

const UndoBar = lazy(() => import('./undo-bar'))

interface InboxProps extends InboxData {
  /** The first request, rendered by the server. */
  rendered: RenderedRequest | null
  viewer: DetailViewer
  /** How many requests wait: "66", "1,000+". */
  total: string
  /** How many of them the filters match. */
  matching: number
  choices: FilterChoice[]
  serverNow: number
  /** The head of the page. Narrow screens show it with the list only. */
  head: ReactNode
  /** Shown when nothing waits. */
  empty: ReactNode
}

/** A narrow screen with one request has no room for the head of the page. Its title stays for screen readers. */
const onlyTitle = 'max-lg:[&_header]:sr-only max-lg:[&_header_a]:hidden max-lg:[&_nav]:hidden'

/** The waiting requests: a list beside the selected request. A narrow screen shows one of the two. */
export function Inbox({
  viewer,
  rendered,
  total,
  matching,
  choices,
  serverNow,
  head,
  empty,
  ...data
}: InboxProps) {
  const inbox = useInbox(data)
  const view = useView({ filters: data.filters, selected: inbox.selection.selected, pane: inbox.detail.pane })
  const help = useHelp()
  const now = useNow(serverNow)
  useInboxShortcuts(inbox, help.open)
  const isFiltered = hasFilters(data.filters)
  const isEmpty = inbox.list.shown.length === 0
  const withList = view.isList || isEmpty ? '' : 'max-lg:hidden'
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only loads code early
    <div
      data-wide
      onPointerEnter={prepareDetail}
      onFocus={prepareDetail}
      className="grid grid-cols-[minmax(0,1fr)] gap-3"
    >
      <div className={withList === '' ? '' : onlyTitle}>{head}</div>
      <div className={withList}>
        <FilterBar filters={data.filters} choices={choices} isList={view.isList} />
      </div>
      <p role="status" className="visually-hidden">
        {inbox.list.announcement}
      </p>
      <div
        className={
          isEmpty
            ? 'grid gap-3'
            : 'lg:relative lg:grid lg:h-[calc(100dvh-17.5rem)] lg:min-h-[30rem] lg:grid-cols-[minmax(22rem,30rem)_minmax(22rem,1fr)] lg:grid-rows-[auto_minmax(0,1fr)] lg:gap-x-5'
        }
      >
        {/* Each part has its place, so that none moves while the page is still arriving. */}
        <div
          className={`flex min-h-11 flex-wrap items-center gap-x-5 lg:col-start-1 lg:row-start-1 ${withList}`}
        >
          {isEmpty && !isFiltered ? null : (
            <p className="text-sm font-semibold tabular-nums">
              {countsWords(total, isFiltered ? matching : null)}
            </p>
          )}
          <LiveStatus ducklingId={viewer.duckling_id} onChange={inbox.onChange} />
          <div className="ms-auto">
            <HelpButton {...help} />
          </div>
        </div>
        {isEmpty ? (
          isFiltered ? (
            <NothingMatches />
          ) : (
            empty
          )
        ) : (
          <>
            <ListPane inbox={inbox} now={now} className={withList} />
            <DetailPane
              {...inbox.detail}
              rendered={rendered}
              viewer={viewer}
              now={now}
              pager={<Pager inbox={inbox} filters={data.filters} view={view} />}
              className={view.isList ? 'max-lg:hidden' : ''}
            />
          </>
        )}
        <Undo {...inbox.undo} isEmpty={isEmpty} />
      </div>
    </div>
  )
}

function useInboxShortcuts(inbox: InboxState, openHelp: () => void) {
  useShortcuts([
    { key: 'j', repeats: true, run: () => inbox.selection.step(1) },
    { key: 'k', repeats: true, run: () => inbox.selection.step(-1) },
    { key: 'a', run: () => inbox.press('approve') },
    { key: 'r', run: () => inbox.press('notNow') },
    { key: 'u', run: () => document.querySelector<HTMLElement>('[data-undo]')?.click() },
    { key: '/', run: () => document.getElementById(searchId)?.focus() },
    { key: '?', run: openHelp },
  ])
}

/** "66 waiting", with filters "66 waiting, 4 match". */
function countsWords(total: string, matching: number | null): string {
  if (total === '0') return "You're all caught up"
  if (matching === null) return `${total} waiting`
  return `${total} waiting, ${matching.toLocaleString('en')} ${matching === 1 ? 'matches' : 'match'}`
}

function NothingMatches() {
  return (
    <Empty
      title="No request matches"
      action={
        <Link href="/pecks" className={buttonClass()}>
          Clear filters
        </Link>
      }
    />
  )
}

interface PagerProps {
  inbox: InboxState
  filters: Filters
  view: ReturnType<typeof useView>
}

function Pager({ inbox: { list, selection }, filters, view }: PagerProps) {
  const { selected, ids, neighbour, step } = selection
  const waiting = ids.filter((id) => list.open.has(id))
  const pathOf = (id: string | null) => (id === null ? null : inboxPath(filters, { peck: id }))
  return (
    <CardPager
      place={selected === null ? 0 : waiting.indexOf(selected) + 1}
      count={waiting.length}
      previous={pathOf(neighbour(-1))}
      next={pathOf(neighbour(1))}
      listPath={view.listPath}
      onStep={step}
      onList={view.showList}
    />
  )
}

/**
 * Lies over the end of the list, on a narrow screen above the buttons of the decision, so that nothing moves. Always there, because
 * screen readers announce only changes of a status that they know.
 */
function Undo({ undoable, onEnd, onUndone, isEmpty }: InboxState['undo'] & { isEmpty: boolean }) {
  const place = isEmpty
    ? 'fixed inset-x-3 bottom-4 lg:inset-x-auto lg:w-[21rem]'
    : 'max-lg:fixed max-lg:inset-x-3 max-lg:bottom-24 lg:absolute lg:start-2 lg:bottom-2 lg:w-[21rem]'
  return (
    <div role="status" className={`no-print z-20 ${place}`}>
      {undoable === null ? null : (
        <Suspense fallback={null}>
          <UndoBar
            key={undoable.message + undoable.ids.join()}
            undoable={undoable}
            onEnd={onEnd}
            onUndone={onUndone}
          />
        </Suspense>
      )}
    </div>
  )
}
