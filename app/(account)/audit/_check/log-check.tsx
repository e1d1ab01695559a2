'use client'

import { useState } from 'react'
import { buttonClass } from '@/components/ui/button'
import { readersLocale } from '@/components/ui/time-words'
import { m } from '@/lib/kernel/messages'
import type { Verdict } from './check-log'
import { CheckResult } from './check-result'
import { fetchJson, messageOf } from './fetch-json'
import { recallEnd, type SeenEnd, storeEnd } from './seen-end'

type State =
  | { step: 'idle' }
  | { step: 'reading'; read: number; of: number | null }
  | { step: 'checked'; verdict: Verdict; seen: SeenEnd | null }
  | { step: 'failed'; message: string }

type Progress = (read: number, of: number) => void

/** Checks the whole log. Loads the code of the check only when it is needed. */
async function check(ducklingId: string, onProgress: Progress) {
  if (!window.isSecureContext)
    throw new Error('Browsers compute hashes only over https. Download the log and check it there.')
  const { checkLog } = await import('./check-log')
  const seen = recallEnd(ducklingId)
  const verdict = await checkLog(fetchJson, ducklingId, seen, onProgress)
  if (verdict.faults.length === 0) storeEnd(ducklingId, verdict.end)
  return { verdict, seen }
}

/** A button that checks the whole log in the browser, and the result. */
export function LogCheck({ ducklingId }: { ducklingId: string }) {
  const [state, setState] = useState<State>({ step: 'idle' })
  const isBusy = state.step === 'reading'

  async function start() {
    if (isBusy) return
    setState({ step: 'reading', read: 0, of: null })
    try {
      const result = await check(ducklingId, (read, of) => setState({ step: 'reading', read, of }))
      setState({ step: 'checked', ...result })
    } catch (error) {
      setState({ step: 'failed', message: messageOf(error) })
    }
  }

  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <button type="button" onClick={start} aria-disabled={isBusy} className={buttonClass('primary')}>
          {isBusy
            ? m.audit_checking()
            : state.step === 'idle'
              ? m.audit_check_the_log()
              : m.audit_check_again()}
        </button>
        {isBusy ? <Reading {...state} /> : null}
        {state.step === 'idle' ? (
          <p className="max-w-md text-sm text-soft">
            {m.audit_your_browser_recomputes_every_hash_verifies()}
          </p>
        ) : null}
      </div>
      <div
        role="status"
        className={state.step === 'checked' || state.step === 'failed' ? '' : 'visually-hidden'}
      >
        {state.step === 'checked' ? <CheckResult {...state} /> : null}
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
      {of === null
        ? m.audit_reading_the_log()
        : m.audit_events_read({
            read: read.toLocaleString(readersLocale()),
            all: of.toLocaleString(readersLocale()),
          })}
    </label>
  )
}
