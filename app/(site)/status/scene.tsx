import { Duck } from '@/components/duck'
import { Water } from '@/components/water'
import type { Condition } from './words'

/** How the duck and the water look: calm, rough, or with the duck's head under water. */
const looks: Record<Condition, { duck: string; waves: number; water: string }> = {
  operational: { duck: '-bottom-9', waves: 4, water: '' },
  degraded: { duck: '-bottom-7 -rotate-12', waves: 7, water: 'scale-y-200' },
  outage: { duck: '-bottom-18 -rotate-[110deg]', waves: 4, water: '' },
}

export function Scene({ condition }: { condition: Condition }) {
  const { duck, waves, water } = looks[condition]
  return (
    <div aria-hidden="true" className="relative h-36 overflow-hidden">
      <div className="absolute inset-x-0 top-0 bottom-8">
        <Duck id="DUCK-QXQH" size={136} bare className={`absolute left-1/3 ${duck}`} />
      </div>
      <div className="absolute inset-x-0 bottom-0 h-8 bg-ground" />
      <Water waves={waves} className={`absolute inset-x-0 bottom-4 ${water}`} />
    </div>
  )
}
