import { ArrowDown, Fingerprint } from 'lucide'
import type { ComponentType } from 'react'
import { Bond, type BondState } from '@/components/bond'
import { Duck } from '@/components/duck'
import { Rosette } from '@/components/security-lines'
import { Icon } from '@/components/ui/icon'
import { Pill, type Tone } from '@/components/ui/surface'
import { Water } from '@/components/water'
import { MainJob } from './main-job'

const states: { state: BondState; text: string }[] = [
  { state: 'registered', text: 'Registered: the key exists, and nobody has used it yet.' },
  { state: 'bonded', text: 'Bonded: the agent has shown its key, and may ask.' },
  { state: 'suspended', text: 'Suspended: you stopped it. It may do nothing until you resume it.' },
]

/** Draws a person and an agent, and the state of the bond between them. */
function Bonds() {
  return (
    <div className="grid gap-5 rounded-card border border-line bg-surface p-5 sm:p-7">
      {states.map(({ state, text }) => (
        <div key={state} className="flex flex-wrap items-center gap-x-5 gap-y-2">
          <Bond operatorId="DUCK-QXQH" agentId="AGT-7ZH1" state={state} size={56} />
          <p className="min-w-40 flex-1 text-sm">{text}</p>
        </div>
      ))}
    </div>
  )
}

const events = ['asked', 'approved', 'used']

/** Draws the evidence of an approval: events in a chain, and the digest of its end in a public log. */
function Evidence() {
  return (
    <div className="grid items-center gap-6 rounded-card border border-line bg-surface p-5 sm:grid-cols-[minmax(0,1fr)_11rem] sm:p-7">
      <ol className="grid gap-0">
        {events.map((event, index) => (
          <li key={event} className="flex items-stretch gap-4">
            <div className="grid w-8 grid-rows-[1fr_auto_1fr] justify-items-center">
              <span className={`w-0.5 ${index === 0 ? '' : 'bg-pond'}`} />
              <span className="grid size-8 place-items-center rounded-full border-2 border-pond bg-pond-wash text-xs font-bold">
                {index + 1}
              </span>
              <span className={`w-0.5 ${index === events.length - 1 ? '' : 'bg-pond'}`} />
            </div>
            <div className="my-1.5 grow rounded-control border border-line bg-sunken px-3 py-2 text-sm">
              <strong>{event}</strong>
              <br />
              <span className="font-mono text-xs text-soft">hash of this event and of the one before</span>
            </div>
          </li>
        ))}
      </ol>
      <div className="grid justify-items-center gap-3 text-center text-sm">
        <div className="relative grid size-36 place-items-center">
          <Rosette
            id="LOG-CHECKPOINT"
            strokeWidth={0.8}
            opacity={0.8}
            className="absolute inset-0 size-full text-pond"
          />
          <span className="grid size-16 place-items-center rounded-full bg-surface">
            <Icon of={Fingerprint} size={34} strokeWidth={1.5} />
          </span>
        </div>
        <span>
          <strong>Public log:</strong> signed, only ever longer
        </span>
      </div>
    </div>
  )
}

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

/** Draws the states of a request and of the permission that an approval gives. */
function PeckLife() {
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

const ladder = [
  { tier: 'T0', proof: 'signed up', size: 36 },
  { tier: 'T1', proof: 'email', size: 52 },
  { tier: 'T2', proof: 'phone', size: 68 },
  { tier: 'T3', proof: 'passkey', size: 88 },
]

/** Draws the trust tiers as a duck that grows. */
function Tiers() {
  return (
    <div className="overflow-hidden rounded-card border border-line bg-surface">
      <div className="relative grid grid-cols-4 px-5 pt-8">
        {ladder.map(({ tier, size }) => (
          <div key={tier} className="flex items-end justify-center">
            <Duck id="DUCK-QXQH" size={size} bare className="-mb-1" />
          </div>
        ))}
        <Water waves={10} className="absolute inset-x-0 -bottom-4" />
      </div>
      <div className="mt-4 grid grid-cols-4 bg-pond-wash px-5 py-3 text-center text-sm">
        {ladder.map(({ tier, proof }) => (
          <div key={tier}>
            <strong>{tier}</strong>
            <br />
            {proof}
          </div>
        ))}
      </div>
    </div>
  )
}

/** The drawings of the documentation by the name that Markdown gives them: `![what it shows](drawing:tiers)`. */
export const drawings: Record<string, ComponentType | undefined> = {
  'main-job': MainJob,
  tiers: Tiers,
  'peck-life': PeckLife,
  bonds: Bonds,
  evidence: Evidence,
}
