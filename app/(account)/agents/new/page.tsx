import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { Sentence } from '@/components/sentence'
import { BackLink } from '@/components/ui/back-link'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { Notice, PageHead, Section } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { mcpUrl } from '@/lib/kernel/request/oauth-paths'
import { HowToConnect } from './how-to-connect'

export const generateMetadata = (): Metadata => ({
  title: m.agents_connect_an_agent(),
  robots: { index: false },
})

/** The address that connects a program, and where each program takes it. */
export default withProblemPage(async function NewAgentPage() {
  await requireViewer('/agents/new')
  return (
    <div className="max-w-2xl">
      <BackLink href="/allowed#agents">{m.rooms_allowed()}</BackLink>
      <PageHead title={m.agents_connect_an_agent()} lead={m.ways_address_hint()} />
      <div className="mb-10 grid gap-4">
        <CopyBlock label={m.ways_address_title()} text={mcpUrl()} copyLabel={m.agents_copy_address()} />
        {config().baseUrl.startsWith('https:') ? null : <Notice tone="warn">{m.ways_address_local()}</Notice>}
      </div>
      <Section id="how" title={m.ways_how_title()}>
        <HowToConnect url={mcpUrl()} />
      </Section>
      <p className="text-sm text-soft">
        <Sentence
          of={m.ways_for_builders}
          parts={{
            link: (children) => (
              <Link href="/agents/new/key" className="inline-block py-1 font-semibold text-ink underline">
                {children}
              </Link>
            ),
          }}
        />
      </p>
    </div>
  )
})
