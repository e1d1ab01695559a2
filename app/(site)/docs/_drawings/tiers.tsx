import { Duck } from '@/components/duck'
import { Water } from '@/components/water'

const ladder = [
  { tier: 'T0', proof: 'signed up', size: 36 },
  { tier: 'T1', proof: 'email', size: 52 },
  { tier: 'T2', proof: 'phone', size: 68 },
  { tier: 'T3', proof: 'passkey', size: 88 },
]

/** Draws the trust tiers as a duck that grows. */
export function Tiers() {
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
