'use client'

import { type ReactNode, Suspense } from 'react'
import { useShortcuts } from '@/app/_shell/shortcuts/use-shortcuts'
import { KeptText } from '@/components/kept-text'
import { lazyPart } from '@/components/lazy-part'
import { buttonClass } from '@/components/ui/button-class'
import { Link } from '@/components/ui/link'
import { closeOpenPopup } from '@/components/ui/popup'
import { Empty } from '@/components/ui/surface'
import { useNow } from '@/components/ui/use-now'
import { m } from '@/lib/kernel/messages'
import { LiveStatus } from '../_live/live-status'
import { CardPager, DetailPane, prepareDetail, type RenderedRequest } from './detail-pane'
import { FilterBar, searchId } from './filter-bar'
import { type FilterChoice, type Filters, hasFilters, inboxPath, withoutFilters } from './filters'
import { HelpButton } from './list-bars'
import { ListPane } from './list-pane'
import type { DetailViewer } from './request-detail'
import type { InboxAnswer } from './rows'
import { Undo, useUndoPlace } from './undo-place'
import { type InboxData, type InboxState, useInbox } from './use-inbox'
import { pressUndo } from './use-pressing'
import { useView } from './use-selection'

const BulkDialog = lazyPart(() => import('./bulk-dialog'))
const BlockDialog = lazyPart(() => import('./block-dialog'))

interface InboxProps extends InboxData {
  /** The first request, rendered by the server. */
  rendered: RenderedRequest | null
  viewer: DetailViewer
  /** How many requests wait, in words: "66 waiting". */
  counts: string
  /** How many of them the filters match. */
  matching: number
  /** How many people wait in the fold, and how many of their requests. Null: there is none. */
  unknown: InboxAnswer['unknown'] | null
  choices: FilterChoice[]
  /** The server renders all rows, also without scripts. */
  isAllShown: boolean
  /** The head of the page. Narrow screens show it with the list only. */
  head: ReactNode
  /** Shown when nothing waits. */
  empty: ReactNode
}

/** A narrow screen with one request has no room for the head of the page. Its title stays for screen readers. */
const onlyTitle = 'max-lg:[&_h1]:sr-only max-lg:[&_details]:hidden max-lg:[&_p]:hidden'

/** The waiting requests: a list beside the selected request. A narrow screen shows one of the two. */
export function Inbox({
  viewer,
  rendered,
  counts,
  matching,
  unknown,
  choices,
  isAllShown,
  head,
  empty,
  ...data
}: InboxProps) {
  const inbox = useInbox(data)
  const { selected, isList } = inbox.selection
  useView({ selected, isList, pane: inbox.detail.pane })
  const now = useNow(data.serverNow)
  const undoPlace = useUndoPlace()
  useInboxShortcuts(inbox)
  const isFiltered = hasFilters(data.filters)
  const isEmpty = inbox.list.shown.length === 0
  const withList = isList || isEmpty ? '' : 'max-lg:hidden'
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only loads code early
    <div
      onPointerEnter={prepareDetail}
      onFocus={prepareDetail}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 xl:grid-cols-[minmax(0,1fr)_auto] xl:gap-x-0 xl:gap-y-2"
    >
      <div
        className={`max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:gap-x-3 lg:contents ${withList === '' ? '' : onlyTitle}`}
      >
        <div className="max-lg:contents xl:flex xl:items-center xl:gap-x-5">{head}</div>
        <div
          className={`flex flex-wrap items-center gap-x-5 max-lg:order-1 max-lg:gap-x-3 lg:max-xl:-mb-3 xl:border-b xl:border-line xl:ps-5 ${withList}`}
        >
          {isEmpty && !isFiltered ? null : <p className="text-sm font-semibold tabular-nums">{counts}</p>}
          <LiveStatus ducklingId={viewer.duckling_id} onChange={inbox.onChange} />
          <div className="ms-auto">
            <HelpButton />
          </div>
        </div>
      </div>
      <div className={`xl:col-span-2 ${withList}`}>
        <FilterBar filters={data.filters} choices={choices} />
      </div>
      <p role="status" className="visually-hidden">
        <KeptText text={inbox.list.announcement} />
      </p>
      <div
        className={
          isEmpty
            ? 'grid gap-3 xl:col-span-2'
            : 'lg:relative lg:grid lg:h-[calc(100dvh-16rem)] lg:min-h-[30rem] lg:grid-cols-[minmax(22rem,30rem)_minmax(22rem,1fr)] lg:grid-rows-[minmax(0,1fr)] lg:gap-x-5 xl:col-span-2 xl:-mt-1 xl:h-[calc(100dvh-11.25rem)]'
        }
      >
        {isEmpty ? (
          isFiltered ? (
            <NothingMatches filters={data.filters} />
          ) : (
            empty
          )
        ) : (
          <>
            <ListPane
              inbox={inbox}
              viewer={viewer}
              filters={data.filters}
              matching={matching}
              unknown={unknown}
              isAllShown={isAllShown}
              now={now}
              className={withList}
            />
            <DetailPane
              {...inbox.detail}
              onUndoPlace={undoPlace.setBar}
              rendered={rendered}
              viewer={viewer}
              now={now}
              pager={<Pager inbox={inbox} matching={matching} filters={data.filters} />}
              className={isList ? 'max-lg:hidden' : ''}
            />
          </>
        )}
      </div>
      <Undo {...inbox.undo} host={undoPlace.host} page={undoPlace.page} />
      <Dialogs inbox={inbox} isPasskeyRequired={viewer.require_passkey_for_pecks} />
    </div>
  )
}

function useInboxShortcuts({ list, selection, press, keys, isSending }: InboxState) {
  useShortcuts({
    next: () => selection.step(1),
    previous: () => selection.step(-1),
    open(target) {
      // On another control, Enter presses that control.
      const isElsewhere = target?.closest('a, button, summary, label, input') != null
      if (isElsewhere && target?.closest('[data-row] a[aria-current]') == null) return false
      return keys.openPage()
    },
    approve: () => press('approve'),
    reject: () => press('reject'),
    later: () => press('later'),
    undo: () => pressUndo(isSending),
    block: keys.block,
    select: () => keys.check(false),
    selectRange: () => keys.check(true),
    selectNext: () => keys.extend(1),
    selectPrevious: () => keys.extend(-1),
    clear() {
      if (closeOpenPopup()) return true
      if (list.checked.size === 0) return false
      return list.checkAll(false)
    },
    search: () => document.getElementById(searchId)?.focus(),
  })
}

/** What the inbox asks before a decision on several requests, and before a block. */
function Dialogs({ inbox, isPasskeyRequired }: { inbox: InboxState; isPasskeyRequired: boolean }) {
  const { dialogs, bulk } = inbox
  const { asked, close } = dialogs
  if (asked === null) return null
  return (
    <Suspense fallback={null}>
      {asked.kind === 'block' ? (
        <BlockDialog duckling={asked.duckling} onClose={close} onBlocked={dialogs.onBlocked} />
      ) : (
        <BulkDialog
          rows={asked.rows}
          decision={asked.decision}
          isAsBefore={asked.isAsBefore}
          isPasskeyRequired={isPasskeyRequired}
          onClose={close}
          onDecided={bulk.onDecided}
          onEnded={(outcomes) => bulk.onEnded(asked.decision, outcomes)}
        />
      )}
    </Suspense>
  )
}

function NothingMatches({ filters }: { filters: Filters }) {
  return (
    <Empty
      title={m.inbox_no_request_matches()}
      action={
        <Link href={inboxPath(withoutFilters(filters))} className={buttonClass()}>
          {m.inbox_clear_filters()}
        </Link>
      }
    />
  )
}

interface PagerProps {
  inbox: InboxState
  matching: number
  filters: Filters
}

function Pager({ inbox: { list, selection }, matching, filters }: PagerProps) {
  const { selected, ids, neighbour, step, showList } = selection
  const waiting = ids.filter((id) => list.fold.reachable.has(id))
  const pathOf = (id: string | null) => (id === null ? null : inboxPath(filters, { peck: id }))
  return (
    <CardPager
      place={selected === null ? 0 : waiting.indexOf(selected) + 1}
      count={list.isWhole ? waiting.length : matching}
      previous={pathOf(neighbour(-1))}
      next={pathOf(neighbour(1))}
      listPath={inboxPath(filters)}
      onStep={step}
      onList={showList}
    />
  )
}
