import { CircleCheck, CircleDashed, CirclePause, CircleSlash } from 'lucide'
import { Icon } from '@/components/ui/icon'
import { Pill } from '@/components/ui/surface'
import type { Agent } from './read'
import { statusTexts } from './words'

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
