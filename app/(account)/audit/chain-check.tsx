'use client'

import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { withBasePath } from '@/app/_web/base-path'
import { buttonClass } from '@/components/ui/button'
import { Time } from '@/components/ui/time'
import type { SeenEnd, Verdict } from './check-log'

type State =
  | { step: 'idle' }
  | { step: 'reading'; read: number; of: number | null }
  | { step: 'told'; verdict: Verdict; seen: SeenEnd | null }
  | { step: 'failed'; message: string }

/** Checks the whole log in the browser, and says what came of it. The check itself is loaded when it is asked for. */
export function ChainCheck({ ducklingId }: { ducklingId: string }) {
  const [state, setState] = useState<State>({ step: 'idle' })
  const isBusy = state.step === 'reading'

  async function check() {
    if (isBusy) return
    setState({ step: 'reading', read: 0, of: null })
    try {
      if (!window.isSecureContext)
        throw new Error('Browsers check hashes over https only. Download the log and check it there.')
      const { checkLog } = await import('./check-log')
      const seen = recall(ducklingId)
      const verdict = await checkLog(fetchJson, ducklingId, seen, (read, of) =>
        setState({ step: 'reading', read, of }),
      )
      if (verdict.faults.length === 0) keep(ducklingId, verdict.end)
      setState({ step: 'told', verdict, seen })
    } catch (error) {
      setState({ step: 'failed', message: sentenceOf(error) })
    }
  }

  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <button type="button" onClick={check} aria-disabled={isBusy} className={buttonClass('primary')}>
          {isBusy ? 'Checking …' : state.step === 'idle' ? 'Check the chain' : 'Check again'}
        </button>
        {isBusy ? <Reading {...state} /> : null}
        {state.step === 'idle' ? (
          <p className="max-w-md text-sm text-soft">
            Your browser recomputes every hash and checks our signature under the last event.
          </p>
        ) : null}
      </div>
      <div
        role="status"
        className={state.step === 'told' || state.step === 'failed' ? '' : 'visually-hidden'}
      >
        {state.step === 'told' ? <Told {...state} /> : null}
        {state.step === 'failed' ? <p className="text-sm text-bad">{state.message}</p> : null}
      </div>
    </div>
  )
}

function Reading({ read, of }: { read: number; of: number | null }) {
  return (
    <label className="flex min-w-0 grow items-center gap-3 text-sm text-soft tabular-nums">
      <progress
        value={of === null ? undefined : read}
        max={of ?? undefined}
        className="h-1.5 w-40 appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
      />
      {of === null ? 'Reading the log' : `${number(read)} of ${number(of)} events read`}
    </label>
  )
}

function Told({ verdict, seen }: { verdict: Verdict; seen: SeenEnd | null }) {
  const { faults, events, since, end, kid } = verdict
  if (faults.length > 0)
    return (
      <div className="rounded-card bg-bad-wash p-5">
        <p className="flex items-center gap-3 font-display text-lg font-semibold text-bad">
          <ShieldAlert aria-hidden="true" size={24} className="shrink-0" />
          The chain is broken
        </p>
        <ul className="mt-3 grid gap-3 text-sm">
          {faults.slice(0, 20).map((fault) => (
            <li key={`${fault.seq}-${fault.message}`} className="wrap-anywhere">
              {fault.seq === null ? null : (
                <p>
                  <strong>Event {fault.seq}</strong>{' '}
                  <span className="font-mono text-xs">{fault.eventId}</span>
                </p>
              )}
              {sentence(fault.message)}
            </li>
          ))}
        </ul>
        {faults.length > 20 ? <p className="mt-2 text-sm">And {number(faults.length - 20)} more.</p> : null}
        <p className="mt-3 text-sm">Download the log now and keep it. It is what proves this.</p>
      </div>
    )
  return (
    <div className="rounded-card bg-good-wash p-5">
      <p className="flex items-center gap-3 font-display text-lg font-semibold text-good">
        <ShieldCheck aria-hidden="true" size={24} className="shrink-0" />
        <span>
          {number(events)} {events === 1 ? 'event' : 'events'}, unbroken
          {since ? (
            <>
              {' '}
              since <Time at={since} dateOnly />
            </>
          ) : null}
        </span>
      </p>
      <p className="mt-2 text-sm">
        Your browser has recomputed every hash, followed every link, and found our signature under the last
        event.{' '}
        {seen
          ? `The log still goes through event ${number(seen.seq)}, where it ended when you checked before.`
          : 'It keeps this end, and will notice if the log is ever written anew.'}
      </p>
      <p className="mt-3 text-xs text-soft wrap-anywhere">
        Last hash <span className="font-mono">{end.hash}</span>
        {kid ? (
          <>
            , signed with the key <span className="font-mono">{kid}</span>
          </>
        ) : null}
      </p>
    </div>
  )
}

const number = (value: number) => value.toLocaleString('en')
const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, '')}.`

async function fetchJson(path: string): Promise<unknown> {
  const response = await fetch(withBasePath(path), { cache: 'no-store' })
  const answer: unknown = await response.json()
  if (response.ok) return answer
  if (response.status === 401) throw new Error('You have been signed out. Sign in again and repeat this.')
  throw new Error((answer as { detail?: string }).detail ?? 'The log could not be read.')
}

function sentenceOf(error: unknown): string {
  // A TypeError is what fetch throws without a network: its words are the browser's, not ours.
  return error instanceof Error && !(error instanceof TypeError)
    ? error.message
    : 'Beak could not be reached. Try again in a moment.'
}

const place = (ducklingId: string) => `beak.audit.${ducklingId}`

/** The end this browser saw last; null also where storage is closed to pages. */
function recall(ducklingId: string): SeenEnd | null {
  try {
    return JSON.parse(localStorage.getItem(place(ducklingId)) ?? 'null') as SeenEnd | null
  } catch {
    return null
  }
}

function keep(ducklingId: string, end: SeenEnd): void {
  try {
    localStorage.setItem(place(ducklingId), JSON.stringify(end))
  } catch {
    // Without storage every check is a first one.
  }
}
