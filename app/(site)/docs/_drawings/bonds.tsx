import { Bond, type BondState } from '@/components/bond'

const states: { state: BondState; text: string }[] = [
  { state: 'registered', text: 'Registered: the key exists, and nobody has used it yet.' },
  { state: 'bonded', text: 'Bonded: the agent has shown its key, and may ask.' },
  { state: 'suspended', text: 'Suspended: you stopped it. It may do nothing until you resume it.' },
]

/** Draws a person and an agent, and the state of the bond between them. */
export function Bonds() {
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
