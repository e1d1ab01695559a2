import { Check, X } from 'lucide'
import type { ReactNode } from 'react'
import { Duck } from '@/components/duck'
import { Rosette } from '@/components/security-lines'
import { Icon } from '@/components/ui/icon'
import { Water } from '@/components/water'

/** Draws the main job in three scenes on one water: an agent asks, a person decides, a restaurant checks. */
export function MainJob() {
  return (
    <div className="grid overflow-hidden rounded-card border border-line bg-surface md:grid-cols-3">
      <Scene caption="Scout, an agent, asks.">
        <Card className="top-7 right-7 -rotate-3">
          <span className="font-mono text-xs text-soft">book:table</span>
          <span className="text-sm font-semibold">4 guests, at 19:30</span>
          <span className="text-sm">Harbour Room</span>
        </Card>
        <Ring className="-bottom-10 left-4" />
        <Duck id="AGT-7ZH1" size={112} bare className="absolute bottom-1 left-10" />
      </Scene>
      <Scene caption="Mallard decides. Only Mallard can.">
        <Card className="top-6 left-7 rotate-2">
          <span className="text-sm font-semibold">Scout wants to book a table</span>
          <span className="text-xs text-soft">once, today</span>
        </Card>
        <div className="absolute top-14 right-6 grid size-24 rotate-6 place-items-center">
          <Rosette
            id="PECK-APPROVED"
            strokeWidth={1}
            opacity={0.9}
            className="absolute inset-0 size-full text-good"
          />
          <span className="grid size-11 place-items-center rounded-full bg-surface text-good">
            <Icon of={Check} size={26} strokeWidth={2.5} />
          </span>
        </div>
        <Ring className="-bottom-10 left-16" />
        <Duck id="DUCK-QXQH" size={128} bare className="absolute bottom-1 left-20" />
      </Scene>
      <Scene caption="The restaurant checks. The permission works once.">
        <House />
        <Ticket className="top-6 right-6 -rotate-2 border-good text-good">
          <Icon of={Check} size={16} strokeWidth={2.5} />
          used 1 of 1
        </Ticket>
        <Ticket className="top-21 right-10 rotate-3 border-bad text-bad">
          <Icon of={X} size={16} strokeWidth={2.5} />
          again: refused
        </Ticket>
      </Scene>
    </div>
  )
}

function Scene({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <div className="flex flex-col">
      <div className="relative h-60 overflow-hidden">
        {children}
        <Water waves={4} className="absolute inset-x-0 bottom-0" />
      </div>
      <p className="grow bg-pond-wash px-5 py-3 text-sm font-semibold">{caption}</p>
    </div>
  )
}

function Card({ className, children }: { className: string; children: ReactNode }) {
  return (
    <div
      className={`absolute grid gap-0.5 rounded-card border border-line bg-surface px-4 py-3 shadow-card ${className}`}
    >
      {children}
    </div>
  )
}

function Ticket({ className, children }: { className: string; children: ReactNode }) {
  return (
    <div
      className={`absolute flex items-center gap-2 rounded-control border-2 border-dashed bg-surface px-3 py-2 text-sm font-semibold ${className}`}
    >
      {children}
    </div>
  )
}

/** Rings in the water around a duck. */
function Ring({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 200 80" aria-hidden="true" className={`absolute w-52 text-pond ${className}`}>
      {[30, 60, 92].map((radius, index) => (
        <ellipse
          key={radius}
          cx="100"
          cy="40"
          rx={radius}
          ry={radius * 0.3}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.2"
          opacity={0.5 - index * 0.13}
        />
      ))}
    </svg>
  )
}

/** A restaurant on stilts. */
function House() {
  return (
    <svg viewBox="0 0 160 150" aria-hidden="true" className="absolute bottom-3 left-7 w-40">
      <g fill="none" stroke="var(--edge)" strokeWidth="4" strokeLinecap="round">
        <path d="M30 112v32M130 112v32" />
      </g>
      <rect
        x="14"
        y="52"
        width="132"
        height="62"
        rx="4"
        fill="var(--sunken)"
        stroke="var(--edge)"
        strokeWidth="2"
      />
      <path d="M6 54 24 22h112l18 32Z" fill="var(--pond)" />
      {[0, 1, 2, 3, 4].map((n) => (
        <path
          key={n}
          d={`M${6 + n * 29.6} 54a14.800 12 0 0 0 29.600 0Z`}
          fill={n % 2 === 0 ? 'var(--surface)' : 'var(--pond)'}
          stroke="var(--pond)"
          strokeWidth="1.5"
        />
      ))}
      <rect x="30" y="76" width="30" height="24" rx="3" fill="var(--accent-wash)" stroke="var(--edge)" />
      <rect x="72" y="76" width="30" height="24" rx="3" fill="var(--accent-wash)" stroke="var(--edge)" />
      <rect x="112" y="78" width="22" height="36" rx="3" fill="var(--edge)" />
    </svg>
  )
}
