'use client'

import { createContext, type ReactNode, useCallback, useContext, useLayoutEffect, useState } from 'react'
import { useFormStatus } from 'react-dom'
import { Duck } from '@/components/duck'
import { hash } from '@/components/duck-art'
import { useAnswer } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import type { Outcome } from './outcome'

/** The outcome of the request in the enclosing card, when the list has received one. */
export const ListOutcome = createContext<Outcome | null>(null)

/** Tells the enclosing list that the viewer has decided the request in the card. */
export const ListDecided = createContext<(peckId: string, outcome: Outcome) => void>(() => undefined)

/** Tells the enclosing list that a decision is being sent. Returns the function that ends this. */
export const ListSending = createContext<() => () => void>(() => () => undefined)

function useListOutcome(): Outcome | null {
  return useContext(ListOutcome)
}

interface SealProps {
  /** The look of the ring is derived from this id. */
  id: string
  /** The duck in the middle. */
  duckId: string
  /** `open`: no permission yet. `closing`: the ring closes now, and the stamp follows. `closed`: as it looks afterwards. */
  state: 'open' | 'closing' | 'closed'
  /** The word on the stamp of a closed ring. */
  word: string
  /** Width and height in pixels. */
  size?: number
}

const strands = 5
const steps = 240

/** The rings that were drawn, by their number of waves. There are nine. */
const rings = new Map<number, string[]>()

function ringOf(id: string): string[] {
  const waves = 14 + (hash(`seal ${id}`) % 9)
  const ring = rings.get(waves) ?? drawRing(waves)
  rings.set(waves, ring)
  return ring
}

/** Returns the strands of a guilloche ring around 0, 0: waves around a circle, each shifted a little against the one before. */
function drawRing(waves: number): string[] {
  return Array.from({ length: strands }, (_, strand) => {
    const points = Array.from({ length: steps }, (_, step) => {
      const angle = (step / steps) * 2 * Math.PI
      const radius = 420 + 58 * Math.sin(waves * angle + (strand / strands) * 2 * Math.PI)
      return `${Math.round(radius * Math.cos(angle))} ${Math.round(radius * Math.sin(angle))}`
    })
    return `M${points.join('L')}Z`
  })
}

/** A duck in a ring of fine lines that an approval closes and stamps. Hidden from screen readers, because the page says the same in words. */
function Seal({ id, duckId, state, word, size = 92 }: SealProps) {
  return (
    <div
      aria-hidden="true"
      data-seal={state}
      className="relative shrink-0 text-pond"
      style={{ width: size, height: size }}
    >
      <svg
        viewBox="-500 -500 1000 1000"
        aria-hidden="true"
        className="absolute inset-0 size-full rotate-[-51deg]"
        fill="none"
        stroke="currentColor"
        strokeWidth="8"
        strokeLinecap="round"
      >
        {ringOf(id).map((line) => (
          <path key={line} d={line} pathLength="1" className={`seal-line seal-${state}`} />
        ))}
      </svg>
      <div className="absolute inset-0 grid place-items-center">
        <Duck id={duckId} size={size * 0.6} />
      </div>
      {state === 'open' ? null : (
        <span
          className={`seal-stamp seal-${state} absolute top-[62%] left-1/2 rounded-[3px] border-2 border-good bg-surface px-1.5 font-display text-[0.7rem] leading-5 font-bold tracking-wider text-good uppercase`}
        >
          {word}
        </span>
      )}
    </div>
  )
}

interface Scope {
  outcome: Outcome | null
  setOutcome: (outcome: Outcome) => void
  /** Tells that a form of the request is being sent. Returns the function that ends this. */
  beginSending: () => () => void
  peckId: string
  /** The id whose duck stands for the asker. */
  duckId: string
}

const OutcomeContext = createContext<Scope>({
  outcome: null,
  setOutcome: () => undefined,
  beginSending: () => () => undefined,
  peckId: '',
  duckId: '',
})

interface OutcomeScopeProps extends Pick<Scope, 'peckId' | 'duckId'> {
  /** The outcome that the server already knows. */
  known: Outcome | null
  children: ReactNode
}

/** Surrounds all parts of one request that change with its outcome. A decision made here counts before what the server knows. */
export function OutcomeScope({ known, children, ...request }: OutcomeScopeProps) {
  const [own, setOwn] = useState<Outcome | null>(null)
  // The answer to a form and the reloaded page arrive together. The form reports first, before what the server knows replaces it.
  const [confirmed, setConfirmed] = useState(known)
  useLayoutEffect(() => setConfirmed(known), [known])
  const listed = useListOutcome()
  const report = useContext(ListDecided)
  const tellList = useContext(ListSending)
  const [isSending, setIsSending] = useState(false)
  const beginSending = useCallback(() => {
    const end = tellList()
    setIsSending(true)
    return () => {
      end()
      setIsSending(false)
    }
  }, [tellList])
  // The service tells of a decision made here, too, and may be faster than the answer to the form, which says more.
  const elsewhere = isSending ? null : (listed ?? confirmed)
  return (
    <OutcomeContext
      value={{
        ...request,
        outcome: own ?? elsewhere,
        beginSending,
        setOutcome: (outcome) => {
          setOwn(outcome.status === 'reopened' ? null : outcome)
          if (outcome.status === 'reopened') setConfirmed(null)
          report(request.peckId, outcome)
        },
      }}
    >
      {children}
    </OutcomeContext>
  )
}

/** Returns the outcome of the enclosing request, and the function that changes it. */
export function useOutcome(): Scope {
  return useContext(OutcomeContext)
}

/** The seal of the enclosing request. An approval closes its ring. `size`: in pixels. */
export function RequestSeal({ size }: { size?: number }) {
  const { outcome, peckId, duckId } = useOutcome()
  const isApproved = outcome?.status === 'approved'
  const state = isApproved ? (outcome.isOwn ? 'closing' : 'closed') : 'open'
  return <Seal id={peckId} duckId={duckId} state={state} word={m.requests_approved()} size={size} />
}

/** Passes the outcome of the enclosing form to its request. Runs once for each answer, before the form is removed. */
export function ReportOutcome({ onDecided }: { onDecided: (outcome: Outcome) => void }) {
  const { data, turn } = useAnswer<Outcome>()
  const { pending } = useFormStatus()
  const { beginSending } = useOutcome()
  useLayoutEffect(() => (pending ? beginSending() : undefined), [pending, beginSending])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each answer
  useLayoutEffect(() => {
    if (data) onDecided(data)
  }, [data, turn])
  return null
}
