import { quotedName } from '@beak/decision/quote'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { readAgents } from '../agents/read'

export const generateMetadata = (): Metadata => ({
  title: m.agents_connect_agent(),
  robots: { index: false },
})

/** The short address that a phone shows for a computer. It leads to the agent of the viewer that waits to be connected. */
export default withProblemPage(async function ConnectPage() {
  await requireViewer('/connect')
  const waiting = (await readAgents()).items.filter(
    ({ status, connection }) => status === 'registered' && connection === null,
  )
  const [only, ...others] = waiting
  if (only === undefined) redirect('/agents/new')
  if (others.length === 0) redirect(`/agents/manage/${only.agent_id}/connect`)
  return (
    <>
      <PageHead title={m.agents_which_to_connect()} />
      <ul className="max-w-2xl border-b border-line">
        {waiting.map(({ agent_id, agent_name }) => (
          <li key={agent_id} className="border-t border-line">
            <Link
              href={`/agents/manage/${agent_id}/connect`}
              className="flex min-h-11 items-center gap-4 py-3 font-semibold wrap-anywhere"
            >
              <Duck id={agent_id} size={36} />
              <bdi translate="no">{quotedName(agent_name)}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
})
