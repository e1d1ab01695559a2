import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { cache } from 'react'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/page-read'
import { viewerApprover, viewerHasPasskey } from '@/app/_web/passkeys'
import { countWaiting, requireViewer } from '@/app/_web/viewer'
import { openPageHeader } from '@/components/connection/last-change'
import { chosenZone } from '@/components/ui/zone'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { actionLabel } from '@/lib/kernel/text/shown-action'
import { AnsweredFeed } from '../rules/_rule/rule-notices'
import { countsWords } from './_inbox/counts-words'
import { EmptyInbox, ListLink } from './_inbox/empty-inbox'
import { type Filters, filterChoices, filtersIn, hasFilters, inboxPath } from './_inbox/filters'
import { Inbox } from './_inbox/inbox'
import { inboxQuery, rowOf } from './_inbox/make-row'
import RequestDetail from './_inbox/request-detail'
import { groupRows, type InboxAnswer, type InboxRow, isMixed, packRows } from './_inbox/rows'
import { PecksHead } from './_list/pecks-head'
import { ownZone } from './_peck/own-zone'
import { readPecks, type ShownPeck } from './_peck/reads'

interface PecksProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export const generateMetadata = withProblemTitle(async function generateMetadata(
  props: PecksProps,
): Promise<Metadata> {
  await requireViewer(await addressOf(props))
  const name = m.requests_inbox()
  const count = await countWaiting()
  const title = count === '' ? name : `(${count}) ${name}`
  return { title, robots: { index: false } }
})

/** The inbox: pending requests to the viewer, updated live. */
export default withProblemPage(async function InboxPage(props: PecksProps) {
  const { viewer, inbox } = await readInbox(await addressOf(props))
  const query = await props.searchParams
  const zone = await chosenZone()
  const rows = inbox.items.map((item) => rowOf(item, viewer.duckling_id, zone))
  const { duckling_id, require_passkey_for_pecks, trust_tier } = viewer
  const hasPasskey = await viewerHasPasskey()
  const shownTo = {
    duckling_id,
    require_passkey_for_pecks,
    trust_tier,
    hasPasskey,
    zone,
    ownZone: await ownZone(),
    approver: await viewerApprover(),
  }
  const now = readClock().getTime()
  const filters = filtersIn(query)
  const first = await readFirst(rows, String(query.peck ?? ''), filters.sort)
  const unknown = inFold(inbox, filters)
  return (
    <>
      <Inbox
        packed={packRows(rows)}
        isWhole={inbox.matching <= rows.length}
        isAllShown={isAllShown(query)}
        filters={filters}
        choices={filterChoices(inbox, filters, actionLabel)}
        counts={countsWords(inbox, filters, await countWaiting(), unknown !== null)}
        unknown={unknown}
        matching={inbox.matching - (unknown?.pecks ?? 0)}
        first={first}
        rendered={
          first && {
            id: first.peck.peck_id,
            view: <RequestDetail request={first} viewer={shownTo} now={now} />,
          }
        }
        viewer={shownTo}
        serverNow={now}
        head={
          <>
            <PecksHead here="/pecks" isCompact />
            {(['strangers', 'snoozed'] as const).map((list) => (
              <ListLink key={list} list={list} count={inbox[list]} isHere={filters.list === list} />
            ))}
          </>
        }
        empty={<EmptyInbox ducklingId={duckling_id} isInbox={filters.list === ''} />}
      />
      <AnsweredFeed now={new Date(now)} />
    </>
  )
})

/** Returns the address of the page, with the selected request, so that a sign-in leads back to it. */
async function addressOf({ searchParams }: PecksProps): Promise<string> {
  const query = await searchParams
  const peck = typeof query.peck === 'string' ? query.peck : null
  return inboxPath(filtersIn(query), {
    peck,
    isAllShown: isAllShown(query),
  })
}

/** Returns who waits in the fold. Null when the list has none: with filters, some of all match. */
function inFold({ total, unknown }: InboxAnswer, filters: Filters): InboxAnswer['unknown'] | null {
  const isWhole = filters.list === '' && !hasFilters(filters) && !isMixed(filters.sort)
  return isWhole && unknown.pecks > 0 && unknown.pecks < total ? unknown : null
}

/** Whether the query says that the server renders the whole list. */
const isAllShown = ({ rows }: { rows?: string | string[] | undefined }) => rows === 'all'

/**
 * Reads the waiting requests that the filters in the address match: the first of them for a browser that opens the page, so that it is there
 * soon, and all for the open page. Also reads all when the address names a request that is not among the first. Cached, because the page and
 * its title both read them.
 */
const readInbox = cache(async (address: string) => {
  const viewer = await requireViewer(address)
  const query = Object.fromEntries(new URL(address, 'http://here.invalid').searchParams)
  const readRows = (isAll: boolean) =>
    read('GET /beak/peck/inbox', { query: inboxQuery(filtersIn(query), isAll) })
  const inbox = await readRows(isAllShown(query) || (await headers()).has(openPageHeader))
  const { items, matching } = inbox
  // The last of the first rows has no next one.
  const isFound = !query.peck || items.slice(0, -1).some(({ peck_id }) => peck_id === query.peck)
  return { viewer, inbox: isFound || items.length >= matching ? inbox : await readRows(true) }
})

/** Reads the request that is selected first: the one in the address, or else the first of the list. */
async function readFirst(rows: InboxRow[], named: string, sort: string): Promise<ShownPeck | null> {
  const id = rows.some((row) => row.id === named) ? named : groupRows(rows, sort, [])[0]?.rows[0]?.id
  if (id === undefined) return null
  const { items } = await readPecks({ peck_ids: id, direction: 'received', status: 'pending', limit: '1' })
  return items[0] ?? null
}
