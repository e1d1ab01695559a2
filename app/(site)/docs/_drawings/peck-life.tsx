import { ArrowDown } from 'lucide'
import { Duck } from '@/components/duck'
import { Icon } from '@/components/ui/icon'
import { Pill, type Tone } from '@/components/ui/surface'

interface State {
  name: string
  tone: Tone
  cause: string
}

const ends: State[] = [
  { name: 'rejected', tone: 'bad', cause: 'you said no' },
  { name: 'expired', tone: 'neutral', cause: 'nobody answered' },
  { name: 'cancelled', tone: 'neutral', cause: 'the agent gave up' },
]

const grants: State[] = [
  { name: 'active', tone: 'good', cause: 'it can be used' },
  { name: 'consumed', tone: 'accent', cause: 'it was used' },
  { name: 'expired', tone: 'neutral', cause: 'its time is over' },
  { name: 'revoked', tone: 'bad', cause: 'you withdrew it' },
]

/** Draws the states of a request, and those of the permission that an approval gives. */
export function PeckLife() {
  return (
    <div className="grid gap-4 rounded-card border border-line bg-surface p-5 sm:p-7">
      <div className="flex items-center gap-3">
        <Duck id="AGT-7ZH1" size={44} />
        <Pill tone="accent">pending</Pill>
        <span className="text-sm text-soft">the request waits for you</span>
      </div>
      <Icon of={ArrowDown} size={20} className="ms-3 text-edge" />
      <div className="grid gap-4 sm:grid-cols-2">
        <div className="grid content-start gap-3 rounded-card bg-good-wash p-4">
          <div className="flex items-center gap-3">
            <Duck id="DUCK-QXQH" size={36} />
            <strong className="text-good">approved</strong>
          </div>
          <States states={grants} />
        </div>
        <div className="grid content-start gap-3 rounded-card bg-sunken p-4">
          <strong>or it ends without a permission</strong>
          <States states={ends} />
        </div>
      </div>
    </div>
  )
}

function States({ states }: { states: State[] }) {
  return states.map(({ name, tone, cause }) => (
    <div key={name} className="flex flex-wrap items-center gap-2 text-sm">
      <span className="rounded-full bg-surface">
        <Pill tone={tone}>{name}</Pill>
      </span>
      {cause}
    </div>
  ))
}
