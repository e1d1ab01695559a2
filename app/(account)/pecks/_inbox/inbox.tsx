'use client'

import { type ReactNode, Suspense } from 'react'
import { useShortcuts } from '@/app/_shell/shortcuts/use-shortcuts'
import { KeptText } from '@/components/kept-text'
import { lazyPart } from '@/components/lazy-part'
import { buttonClass } from '@/components/ui/button-class'
import { Link } from '@/components/ui/link'
import { Empty } from '@/components/ui/surface'
import { useNow } from '@/components/ui/use-now'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'
import { LiveStatus } from '../_live/live-status'
import { CardPager, DetailPane, prepareDetail, type RenderedRequest } from './detail-pane'
import { type FilterChoice, type Filters, hasFilters, inboxPath, withoutFilters } from './filters'
import { FilterBar, HelpButton, searchId } from './list-bars'
import { ListPane } from './list-pane'
import type { DetailViewer } from './request-detail'
import { type InboxData, type InboxState, useInbox } from './use-inbox'
import { pressUndo } from './use-pressing'
import { useView } from './use-selection'

const UndoBar = lazyPart(() => import('./undo-bar'))
const BulkDialog = lazyPart(() => import('./bulk-dialog'))
const BlockDialog = lazyPart(() => import('./block-dialog'))

interface InboxProps extends InboxData {
  /** The first request, rendered by the server. */
  rendered: RenderedRequest | null
  viewer: DetailViewer
  /** How many requests wait: "66", "1,000+". */
  total: string
  /** How many of them the filters match. */
  matching: number
  choices: FilterChoice[]
  /** The server renders all rows, also without scripts. */
  isAllShown: boolean
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
  isAllShown,
  head,
  empty,
  ...data
}: InboxProps) {
  const inbox = useInbox(data)
  const { selected, isList } = inbox.selection
  const listPath = useView({ filters: data.filters, selected, isList, pane: inbox.detail.pane })
  const now = useNow(data.serverNow)
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
      <div className={`xl:flex xl:items-center xl:gap-x-5 ${withList === '' ? '' : onlyTitle}`}>{head}</div>
      <div
        className={`flex flex-wrap items-center gap-x-5 xl:border-b xl:border-line xl:ps-5 max-xl:-mb-3 ${withList}`}
      >
        {isEmpty && !isFiltered ? null : (
          <p className="text-sm font-semibold tabular-nums">
            {countsWords(total, isFiltered ? matching : null)}
          </p>
        )}
        <LiveStatus ducklingId={viewer.duckling_id} onChange={inbox.onChange} />
        <div className="ms-auto">
          <HelpButton />
        </div>
      </div>
      <div className={`xl:col-span-2 ${withList}`}>
        <FilterBar filters={data.filters} choices={choices} isList={isList} />
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
              filters={data.filters}
              matching={matching}
              isAllShown={isAllShown}
              now={now}
              className={withList}
            />
            <DetailPane
              {...inbox.detail}
              rendered={rendered}
              viewer={viewer}
              now={now}
              pager={<Pager inbox={inbox} matching={matching} filters={data.filters} listPath={listPath} />}
              className={isList ? 'max-lg:hidden' : ''}
            />
          </>
        )}
        <Undo {...inbox.undo} isEmpty={isEmpty} />
      </div>
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
          isPasskeyRequired={isPasskeyRequired}
          onClose={close}
          onDecided={bulk.onDecided}
          onEnded={(outcomes) => bulk.onEnded(asked.decision, outcomes)}
        />
      )}
    </Suspense>
  )
}

/** "66 waiting", with filters "66 waiting, 4 match". */
function countsWords(total: string, matching: number | null): string {
  if (total === '0') return m.inbox_youre_all_caught_up()
  if (matching === null) return m.inbox_total_waiting({ total })
  if (matching === 1) return m.inbox_waiting_one_matches({ total })
  return m.inbox_waiting_many_match({ total, matching: matching.toLocaleString(readersLocale()) })
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
  listPath: string
}

function Pager({ inbox: { list, selection }, matching, filters, listPath }: PagerProps) {
  const { selected, ids, neighbour, step, showList } = selection
  const waiting = ids.filter((id) => list.open.has(id))
  const pathOf = (id: string | null) => (id === null ? null : inboxPath(filters, { peck: id }))
  return (
    <CardPager
      place={selected === null ? 0 : waiting.indexOf(selected) + 1}
      count={list.isWhole ? waiting.length : matching}
      previous={pathOf(neighbour(-1))}
      next={pathOf(neighbour(1))}
      listPath={listPath}
      onStep={step}
      onList={showList}
    />
  )
}

/**
 * Lies over the end of the list, on a narrow screen above the buttons of the decision, so that nothing moves. Always there, because
 * screen readers announce only changes of a status that they know.
 */
function Undo({ undoable, onEnd, onUndone, isEmpty }: InboxState['undo'] & { isEmpty: boolean }) {
  const place = isEmpty
    ? 'fixed inset-x-3 bottom-[calc(1rem+var(--bar-height))] lg:inset-x-auto lg:w-[21rem]'
    : 'max-lg:fixed max-lg:inset-x-3 max-lg:bottom-[calc(6rem+var(--bar-height))] lg:absolute lg:start-2 lg:bottom-2 lg:w-[21rem]'
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
