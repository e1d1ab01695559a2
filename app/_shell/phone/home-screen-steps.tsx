import type { ReactNode } from 'react'
import { logoPath } from '@/components/duck-art'
import { m } from '@/lib/kernel/messages'

/** How to add Beak to the home screen of an iPhone or iPad, where only such apps get push messages. One drawing for each step. */
export function HomeScreenSteps() {
  const steps = [
    { text: m.phone_ios_share(), drawing: <ShareSymbol /> },
    { text: m.phone_ios_add(), drawing: <AddRow /> },
    { text: m.phone_ios_open(), drawing: <AppOnScreen /> },
  ]
  return (
    <div className="grid gap-3">
      <p className="text-sm">{m.phone_ios_first()}</p>
      <ol className="grid gap-4 sm:grid-cols-3">
        {steps.map(({ text, drawing }, index) => (
          <li
            key={text}
            className="grid grid-cols-[5.5rem_minmax(0,1fr)] items-center gap-3 text-sm sm:grid-cols-1 sm:content-start"
          >
            <Screen>{drawing}</Screen>
            <span>
              <span className="font-semibold">{index + 1}.</span> {text}
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** The lower part of a phone. */
function Screen({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 88 72"
      aria-hidden="true"
      className="w-22 text-ink"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
    >
      <path d="M4 0v58a10 10 0 0 0 10 10h60a10 10 0 0 0 10-10V0" className="text-edge" />
      {children}
    </svg>
  )
}

function ShareSymbol() {
  return (
    <>
      <path d="M8 42h72" className="stroke-line" />
      <g className="text-accent" strokeLinecap="round" strokeLinejoin="round">
        <path d="M39 47h-4v14h18V47h-4M44 54V38m-5 5 5-5 5 5" />
        <circle cx="44" cy="51" r="15" strokeDasharray="2 5" />
      </g>
      <path d="M16 54h8m40 0h8" className="text-edge" strokeLinecap="round" />
    </>
  )
}

function AddRow() {
  return (
    <>
      <path d="M14 10h60v12H14zM14 50h60v12H14z" className="stroke-line" strokeLinejoin="round" />
      <g className="text-accent" strokeLinecap="round" strokeLinejoin="round">
        <path d="M12 28h64v16H12zM20 36h28" />
        <path d="M60 31h10v10H60zM65 33.5v5m-2.5-2.5h5" strokeWidth="1.5" />
      </g>
    </>
  )
}

function AppOnScreen() {
  return (
    <>
      {[14, 60].map((x) => (
        <rect key={x} x={x} y="12" width="14" height="14" rx="4" className="stroke-line" />
      ))}
      <rect x="33" y="8" width="22" height="22" rx="6" className="text-accent" />
      <path d={logoPath} transform="translate(36.5 11) scale(0.48)" className="fill-accent" stroke="none" />
      <path d="M44 36v12m-4-4 4 4 4-4" className="text-soft" strokeLinecap="round" />
      <rect x="14" y="52" width="60" height="10" rx="5" className="stroke-line" />
    </>
  )
}
