import { CircleCheck, CircleDashed, CirclePause, CircleSlash } from 'lucide'
import { Icon } from '@/components/ui/icon'
import { Pill } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import type { Agent } from './read'
import { capabilityWords, statusTexts } from './words'

/** Each status has its own icon, so that it is recognised without colour. */
const icons = {
  registered: CircleDashed,
  bonded: CircleCheck,
  suspended: CirclePause,
  deregistered: CircleSlash,
}

/** The status of an agent as a word with an icon. */
export function AgentStatus({ status }: { status: Agent['status'] }) {
  const { label, tone } = statusTexts[status]
  return (
    <Pill tone={tone}>
      <Icon of={icons[status]} size={14} className="shrink-0" />
      {label}
    </Pill>
  )
}

/** What an agent may do: a sentence for each capability, with its name in the API. */
export function CapabilityList({ of: agent }: { of: Pick<Agent, 'capabilities' | 'asks_others'> }) {
  return (
    <ul aria-label={m.agents_capabilities()} className="grid gap-1.5">
      {agent.capabilities.map((code) => {
        const words = capabilityWords(code, agent)
        return (
          <li key={code} className="wrap-anywhere">
            {words === null ? null : `${words} `}
            <code translate="no" className="text-xs text-soft">
              {code}
            </code>
          </li>
        )
      })}
    </ul>
  )
}
