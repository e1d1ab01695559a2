import { ChevronRight } from 'lucide'
import type { ReactNode } from 'react'
import { Duck } from '@/components/duck'
import { KeptText } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Empty } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { ValuesLine } from '../../pecks/_list/values-line'
import { readPecks, type ShownPeck } from '../../pecks/_peck/reads'
import { requesterName } from '../../pecks/_peck/words'
import { exampleRequests } from './examples'
import { templateAddress } from './from-template'
import { type OwnAgent, templatesFor } from './templates'

const shownMax = 6

/** Examples of rules in plain words: from requests that the person knows, then from what agents of this kind often ask. */
export async function ExampleList({ agents, viewerId }: { agents: OwnAgent[]; viewerId: string }) {
  const { items } = await readPecks({ direction: 'received', limit: '50' })
  const requests = exampleRequests(items, viewerId)
  const templates = templatesFor(agents).slice(0, shownMax - requests.length)
  if (requests.length + templates.length === 0)
    return (
      <Empty
        title={m.rules_no_agent_yet()}
        action={
          <ButtonLink kind="primary" href="/agents/new">
            {m.rules_connect_agent()}
          </ButtonLink>
        }
      >
        {m.rules_no_agent_yet_text()}
      </Empty>
    )
  return (
    <ul aria-label={m.rules_examples()} className="mb-12 grid max-w-2xl gap-3">
      {requests.map((request) => (
        <RequestExample key={request.peck.peck_id} request={request} />
      ))}
      {templates.map(({ template, agent }) => (
        <Example key={template.id} id={agent.id} href={templateAddress(template, agent.id)}>
          <KeptText text={template.says(`“${agent.name}”`)} />
        </Example>
      ))}
    </ul>
  )
}

function RequestExample({ request: { peck, words, details } }: { request: ShownPeck }) {
  const agent = requesterName(peck.requester)
  return (
    <Example
      id={peck.requester.agent_id ?? ''}
      href={`/rules/new?peck=${peck.peck_id}`}
      note={peck.status === 'approved' ? m.rules_example_approved() : m.rules_example_waits()}
      values={<ValuesLine display={details.display} />}
    >
      <Sentence of={m.rules_example_request} with={{ agent, action: words.action }} />
    </Example>
  )
}

interface ExampleProps {
  id: string
  href: string
  /** Where the example comes from. */
  note?: string
  values?: ReactNode
  children: ReactNode
}

function Example({ id, href, note, values, children }: ExampleProps) {
  return (
    <li className="relative flex items-center gap-4 rounded-card border border-line bg-surface px-4 py-3 hover:bg-sunken">
      <Duck id={id} size={40} />
      <div className="min-w-0 flex-1">
        <Link
          href={href}
          className="inline-flex min-h-8 items-center font-semibold no-underline wrap-anywhere after:absolute after:inset-0"
        >
          <span>{children}</span>
        </Link>
        {values}
        {note === undefined ? null : <p className="text-sm text-soft">{note}</p>}
      </div>
      <Icon of={ChevronRight} size={18} className="shrink-0 text-soft rtl:-scale-x-100" />
    </li>
  )
}
