import type { Metadata } from 'next'
import { pauseEverything } from '@/app/_shell/actions'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/page-read'
import { requireViewer } from '@/app/_web/viewer'
import { Announcements } from '@/components/ui/announcements'
import { Button, ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { PlainForm } from '@/components/ui/plain-form'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { readAgents } from '../agents/read'
import { filterIn } from '../pecks/_list/filter'
import { readPecks } from '../pecks/_peck/reads'
import { AllPausedNotice } from '../rules/_rule/all-paused-notice'
import { readRuleState } from '../rules/_rule/reads'
import { AgentsSection } from './agents-section'
import { NothingAllowed } from './nothing-allowed'
import { PermissionsSection } from './permissions-section'
import { RulesSection, readRulesSection } from './rules-section'

export const generateMetadata = (): Metadata => ({ title: m.rooms_allowed(), robots: { index: false } })

type Given = Record<string, string | string[] | undefined>

const textOf = (value: Given[string]) => (Array.isArray(value) ? value[0] : value) ?? ''

/** What may happen without asking the viewer: agents, rules and permissions. A search shows only agents, and a filter only permissions. */
export default withProblemPage(async function AllowedPage({
  searchParams,
}: {
  searchParams: Promise<Given>
}) {
  const given = await searchParams
  const search = {
    text: textOf(given.q).trim(),
    withDeregistered: textOf(given.include) === 'deregistered',
    cursor: textOf(given.agents),
  }
  const { asker, action } = filterIn(given)
  const filter = { asker, action, cursor: textOf(given.permissions) }
  const viewer = await requireViewer('/allowed')
  const isSearch = search.text !== '' || search.withDeregistered || search.cursor !== ''
  const isFilter = asker !== undefined || action !== undefined || filter.cursor !== ''
  const isPart = isSearch || isFilter
  const cursor = textOf(given.rules)
  const [state, rules, activity, agents, permissions] = await Promise.all([
    readRuleState(),
    isPart ? null : readRulesSection(viewer.duckling_id, cursor),
    read('GET /beak/agent/activity'),
    isFilter ? null : readAgents({ ...search, limit: '50' }),
    isSearch ? null : readPermissions(filter),
  ])
  const suspended = new Set(
    activity.items.flatMap(({ agent_id, status }) => (status === 'suspended' ? [agent_id] : [])),
  )
  const isEmpty = !isPart && !state.made && agents?.items.length === 0 && permissions?.items.length === 0
  const now = readClock()
  return (
    <>
      <PageHead title={m.rooms_allowed()} lead={m.allowed_lead()}>
        {isEmpty || state.paused_at !== null ? null : (
          <PlainForm action={pauseEverything}>
            <Button type="submit" title={m.rules_pause_all_title()}>
              {m.rules_pause_all()}
            </Button>
          </PlainForm>
        )}
        {isEmpty ? null : (
          <ButtonLink kind="primary" href="/agents/new">
            {m.agents_connect_an_agent()}
          </ButtonLink>
        )}
      </PageHead>
      {state.paused_at === null ? null : <AllPausedNotice />}
      {isPart ? (
        <p className="mb-6 text-sm">
          <Link href="/allowed" className="inline-flex min-h-11 items-center underline">
            {m.allowed_show_all()}
          </Link>
        </p>
      ) : null}
      {/* What a form says stays when its row, or the last row of all, is gone. */}
      <Announcements>
        {isEmpty ? <NothingAllowed viewerId={viewer.duckling_id} hasDeregistered={await hasAny()} /> : null}
        {isEmpty || agents === null ? null : (
          <AgentsSection
            {...agents}
            activity={activity.items}
            search={search}
            viewerId={viewer.duckling_id}
            now={now}
          />
        )}
        {isEmpty || isPart ? null : (
          <RulesSection found={rules} suspended={suspended} cursor={cursor} now={now} />
        )}
        {isEmpty || permissions === null ? null : (
          <PermissionsSection
            {...permissions}
            filter={filter}
            suspended={suspended}
            viewerId={viewer.duckling_id}
            now={now}
          />
        )}
      </Announcements>
    </>
  )
})

const hasAny = async () => (await readAgents({ withDeregistered: true, limit: '1' })).items.length > 0

interface PermissionFilter {
  asker: string | undefined
  action: string | undefined
  cursor: string
}

const readPermissions = (filter: PermissionFilter) =>
  readPecks({ ...filter, grant_status: 'active', direction: 'received', limit: '30' })
