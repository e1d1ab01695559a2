'use client'

import { ChevronLeft, ChevronRight } from 'lucide'
import { type ReactNode, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { withBasePath } from '@/components/base-path'
import { lazyPart } from '@/components/lazy-part'
import { ButtonLink } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import { type DecisionButtons, ListButtons, ListUndo } from '../_decision/decision-buttons'
import type { Outcome } from '../_decision/outcome'
import { ListDecided, ListOutcome, ListSending } from '../_decision/outcome-scope'
import type { ShownPeck } from '../_peck/reads'
import type { DetailViewer } from './request-detail'

/** How many requests are loaded at once. */
const chunkSize = 25
/** The next chunk is loaded when fewer than this many requests after the selected one are here. */
const minAhead = 8

type Loaded = { request: ShownPeck } | { failed: 'signed_out' | 'unreachable' } | null

/** Loads the selected request with the next ones of the list, so that the next one is there when it is selected. */
export function useRequests(ids: string[], selected: string | null, first: ShownPeck | null) {
  const found = useRef(new Map<string, ShownPeck>())
  const loading = useRef(new Set<string>())
  const stale = useRef(new Set<string>())
  /** The API has no such request for the viewer. An address may name it. */
  const absent = useRef(new Set<string>())
  const [failed, setFailed] = useState<'signed_out' | 'unreachable' | null>(null)
  const [turn, setTurn] = useState(0)
  if (first !== null) found.current.set(first.peck.peck_id, first)

  const load = useCallback(async (wanted: string[]) => {
    for (const id of wanted) {
      loading.current.add(id)
      stale.current.delete(id)
    }
    const result = await fetchRequests(wanted)
    for (const id of wanted) loading.current.delete(id)
    if (typeof result === 'string') return setFailed(result)
    setFailed(null)
    for (const request of result) found.current.set(request.peck.peck_id, request)
    for (const id of wanted) if (!found.current.has(id)) absent.current.add(id)
    setTurn((last) => last + 1)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when something was loaded or has become stale
  useEffect(() => {
    if (selected === null || failed !== null) return
    const isMissing = (id: string) =>
      (!found.current.has(id) || stale.current.has(id)) && !loading.current.has(id) && !absent.current.has(id)
    const ahead = ids.slice(Math.max(0, ids.indexOf(selected)))
    const wanted = [selected, ...ahead].filter((id, index, all) => isMissing(id) && all.indexOf(id) === index)
    if ([selected, ...ahead.slice(0, minAhead)].some(isMissing)) void load(wanted.slice(0, chunkSize))
  }, [ids, selected, failed, load, turn])

  const request = selected === null ? undefined : found.current.get(selected)
  const loaded: Loaded = request ? { request } : failed ? { failed } : null
  return {
    loaded,
    retry: () => setFailed(null),
    /** Loads these requests again before they are shown next, because their history has changed. Shows the old one until then. */
    refresh(changed: string[]) {
      for (const id of changed) {
        stale.current.add(id)
        absent.current.delete(id)
      }
      setTurn((last) => last + 1)
    },
  }
}

async function fetchRequests(ids: string[]): Promise<ShownPeck[] | 'signed_out' | 'unreachable'> {
  try {
    const answer = await fetch(withBasePath(`/api/pecks/requests?peck_ids=${ids.join(',')}`))
    if (answer.status === 401) return 'signed_out'
    return answer.ok ? ((await answer.json()) as { items: ShownPeck[] }).items : 'unreachable'
  } catch {
    return 'unreachable'
  }
}

const importDetail = () => import('./request-detail')
const RequestDetail = lazyPart(importDetail)

/** Loads what renders further requests, when the person begins to use the inbox. */
export const prepareDetail = () => void importDetail().catch(() => undefined)

/** A request that the server has rendered. */
export interface RenderedRequest {
  id: string
  view: ReactNode
}

interface DetailPaneProps {
  rendered: RenderedRequest | null
  pane: RefObject<HTMLElement | null>
  loaded: Loaded
  viewer: DetailViewer
  now: number
  onDecided: (id: string, outcome: Outcome) => void
  /** Another request has just taken the place of one that was decided: clicks on the decision do not count. */
  isSettling: boolean
  onSending: () => () => void
  /** Shortcuts press these buttons. */
  onButtons: (buttons: DecisionButtons) => () => void
  /** Takes the element for the message after a decision. */
  onUndoPlace: (place: HTMLElement | null) => void
  /** What happened to the request, when it is no longer pending. */
  outcome: Outcome | null
  onRetry: () => void
  /** The way to the other requests, for narrow screens. */
  pager: ReactNode
  className: string
}

/** The selected request. */
export function DetailPane({
  pane,
  outcome,
  onDecided,
  onSending,
  onButtons,
  onUndoPlace,
  pager,
  isSettling,
  className,
  ...detail
}: DetailPaneProps) {
  return (
    <section
      ref={pane}
      aria-label={m.inbox_selected_request()}
      tabIndex={-1}
      className={`min-w-0 scroll-mt-2 outline-none lg:col-start-2 lg:row-start-1 lg:overflow-y-auto ${isSettling ? '[&_[data-decision-bar]]:pointer-events-none' : ''} ${className}`}
    >
      {pager}
      <ListDecided value={onDecided}>
        <ListSending value={onSending}>
          <ListOutcome value={outcome}>
            <ListButtons value={onButtons}>
              <ListUndo value={onUndoPlace}>
                <Detail {...detail} />
              </ListUndo>
            </ListButtons>
          </ListOutcome>
        </ListSending>
      </ListDecided>
    </section>
  )
}

type DetailProps = Pick<DetailPaneProps, 'rendered' | 'loaded' | 'viewer' | 'now' | 'onRetry'>

function Detail({ rendered, loaded, viewer, now, onRetry }: DetailProps) {
  const first = useFirst(rendered)
  if (loaded === null) return <Loading />
  if ('failed' in loaded) return <LoadFailed failed={loaded.failed} onRetry={onRetry} />
  const id = loaded.request.peck.peck_id
  if (first !== null && id === first.id) return <div key={id}>{first.view}</div>
  return (
    <Suspense fallback={<Loading />}>
      <RequestDetail key={id} request={loaded.request} viewer={viewer} now={now} />
    </Suspense>
  )
}

/**
 * Returns the request that the server rendered first, as it rendered it last. A reload renders the request that is selected then. The
 * browser has rendered that one, and would lose what the person typed there.
 */
function useFirst(rendered: RenderedRequest | null): RenderedRequest | null {
  const first = useRef(rendered)
  if (rendered !== null && rendered.id === first.current?.id) first.current = rendered
  return first.current
}

function Loading() {
  return (
    <p role="status" className="p-7 text-soft">
      {m.inbox_loading()}
    </p>
  )
}

function LoadFailed({ failed, onRetry }: { failed: 'signed_out' | 'unreachable'; onRetry: () => void }) {
  return (
    <div role="alert" className="grid justify-items-start gap-3 p-7">
      <p>{failed === 'signed_out' ? m.inbox_youve_been_signed_out() : m.inbox_detail_load_failed()}</p>
      {failed === 'signed_out' ? (
        <ButtonLink href="/signin?next=%2Fpecks">{m.inbox_sign_in()}</ButtonLink>
      ) : (
        <button type="button" onClick={onRetry} className={buttonClass()}>
          {m.inbox_try_again()}
        </button>
      )}
    </div>
  )
}

interface PagerProps {
  /** The place of the selected request, from 1. 0 when it is not in the list. */
  place: number
  count: number
  /** The addresses of the neighbours. Null at an end. */
  previous: string | null
  next: string | null
  listPath: string
  onStep: (step: 1 | -1) => void
  onList: () => void
}

/** "3 of 66", with links to the neighbours and to the list. Links, so that they work without scripts. */
export function CardPager({ place, count, previous, next, listPath, onStep, onList }: PagerProps) {
  return (
    <nav aria-label={m.inbox_requests()} className="mb-2 flex items-center gap-1 lg:hidden">
      <StepLink path={previous} label={m.inbox_previous_request()} onClick={() => onStep(-1)}>
        <Icon of={ChevronLeft} size={22} />
      </StepLink>
      <p className="min-w-20 text-center text-sm font-semibold tabular-nums">
        {place === 0 ? count : m.inbox_place_of_count({ place, count })}
      </p>
      <StepLink path={next} label={m.inbox_next_request()} onClick={() => onStep(1)}>
        <Icon of={ChevronRight} size={22} />
      </StepLink>
      <a
        href={withBasePath(listPath)}
        onClick={(event) => {
          event.preventDefault()
          onList()
        }}
        className={buttonClass('quiet', 'ms-auto px-2')}
      >
        {m.inbox_all_requests()}
      </a>
    </nav>
  )
}

interface StepLinkProps {
  path: string | null
  label: string
  onClick: () => void
  children: ReactNode
}

function StepLink({ path, label, onClick, children }: StepLinkProps) {
  const look = 'grid size-11 place-items-center rounded-control border border-edge bg-surface'
  if (path === null)
    return (
      <span aria-hidden="true" className={`${look} opacity-40`}>
        {children}
      </span>
    )
  return (
    <a
      href={withBasePath(path)}
      onClick={(event) => {
        event.preventDefault()
        onClick()
      }}
      className={`${look} hover:bg-sunken`}
    >
      <span className="visually-hidden">{label}</span>
      {children}
    </a>
  )
}
