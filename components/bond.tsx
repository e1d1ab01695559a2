import { Duck } from './duck'

export type BondState = 'registered' | 'bonded' | 'suspended' | 'deregistered'

/** Two waves in opposite phase. */
const wave = 'M0 12Q10 1 20 12T40 12T60 12T80 12'
const counterwave = 'M0 12Q10 23 20 12T40 12T60 12T80 12'

/**
 * Draws an operator and an agent with two strands between them. The strands show the state of the bond. The page also states it in
 * words.
 */
export function Bond({
  operatorId,
  agentId,
  state,
  size = 72,
}: {
  operatorId: string
  agentId: string
  state: BondState
  size?: number
}) {
  const isFaint = state !== 'bonded'
  return (
    <div className="flex items-center">
      <Duck id={operatorId} size={size} />
      <svg aria-hidden="true" viewBox="0 0 80 24" width={size} height={size * 0.3} className="-mx-1 shrink-0">
        <Strands state={state} />
      </svg>
      <Duck
        id={agentId}
        size={size}
        className={`transition-[filter,opacity] duration-700 ease-out ${isFaint ? 'opacity-60 grayscale' : ''}`}
      />
    </div>
  )
}

function Strands({ state }: { state: BondState }) {
  const isBonded = state === 'bonded'
  if (state === 'deregistered')
    return <path d="M2 12h28m20 0h28" fill="none" strokeWidth="1.5" className="stroke-line" />
  return (
    <g
      fill="none"
      strokeWidth={isBonded ? 2 : 1.5}
      strokeLinecap="round"
      strokeDasharray={isBonded ? undefined : '1 5'}
      className={`transition-[stroke] duration-700 ease-out ${isBonded ? 'stroke-good' : state === 'suspended' ? 'stroke-warn' : 'stroke-edge'}`}
    >
      <path d={wave} />
      <path d={counterwave} />
    </g>
  )
}
