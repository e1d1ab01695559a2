'use client'

import { ShieldAlert, ShieldCheck } from 'lucide'
import { useState } from 'react'
import { withBasePath } from '@/components/base-path'
import { Sentence } from '@/components/sentence'
import { BrowserTime } from '@/components/ui/browser-time'
import { buttonClass } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'
import type { Verdict } from './check-log'
import { recallEnd, type SeenEnd, storeEnd } from './seen-end'

const number = (value: number) => value.toLocaleString(readersLocale())

function CheckResult({ verdict, seen }: { verdict: Verdict; seen: SeenEnd | null }) {
  return verdict.faults.length > 0 ? (
    <Failed faults={verdict.faults} />
  ) : (
    <Passed verdict={verdict} seen={seen} />
  )
}

const maxShownFaults = 20

function Failed({ faults }: Pick<Verdict, 'faults'>) {
  return (
    <div className="rounded-card bg-bad-wash p-5">
      <p className="flex items-center gap-3 font-display text-lg font-semibold text-bad">
        <Icon of={ShieldAlert} size={24} className="shrink-0" />
        {m.audit_the_log_failed_the_check()}
      </p>
      <ul className="mt-3 grid gap-3 text-sm">
        {faults.slice(0, maxShownFaults).map((fault) => (
          <li key={`${fault.seq}-${fault.message}`} className="wrap-anywhere">
            {fault.seq === null ? null : (
              <p>
                <strong>{m.audit_event_seq({ seq: fault.seq })}</strong>{' '}
                <span translate="no" className="font-mono text-xs">
                  {fault.eventId}
                </span>
              </p>
            )}
            {sentence(fault.message)}
          </li>
        ))}
      </ul>
      {faults.length > maxShownFaults ? (
        <p className="mt-2 text-sm">
          {m.audit_and_number_more({ number: number(faults.length - maxShownFaults) })}
        </p>
      ) : null}
      <p className="mt-3 text-sm">
        <Sentence
          of={m.audit_check_failed_advice}
          parts={{
            link: (children) => (
              <Link href="/support" className="underline">
                {children}
              </Link>
            ),
          }}
        />
      </p>
    </div>
  )
}

function Passed({ verdict: { events, since, end, kid }, seen }: { verdict: Verdict; seen: SeenEnd | null }) {
  const hash = () => (
    <span translate="no" className="font-mono">
      {end.hash}
    </span>
  )
  return (
    <div className="rounded-card bg-good-wash p-5">
      <p className="flex items-center gap-3 font-display text-lg font-semibold text-good">
        <Icon of={ShieldCheck} size={24} className="shrink-0" />
        <span>
          {since ? (
            <Sentence
              of={m.audit_events_intact_since}
              with={{ count: events, shown: number(events) }}
              parts={{ time: () => <BrowserTime at={since} dateOnly /> }}
            />
          ) : (
            m.audit_events_intact({ count: events, shown: number(events) })
          )}
        </span>
      </p>
      <p className="mt-2 text-sm">
        {seen
          ? m.audit_browser_recomputed_seen({ seq: number(seen.seq) })
          : m.audit_browser_recomputed_first()}
      </p>
      <p className="mt-3 text-xs text-soft wrap-anywhere">
        {kid ? (
          <Sentence
            of={m.audit_check_hash_signed}
            parts={{
              hash,
              key: () => (
                <span translate="no" className="font-mono">
                  {kid}
                </span>
              ),
            }}
          />
        ) : (
          <Sentence of={m.audit_last_hash} parts={{ hash }} />
        )}
      </p>
    </div>
  )
}

const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, '')}.`

/** Returns the JSON of a path. Throws an `Error` whose message people can read. */
async function fetchJson(path: string): Promise<unknown> {
  const response = await fetch(withBasePath(path), { cache: 'no-store' })
  const answer: unknown = await response.json()
  if (response.ok) return answer
  if (response.status === 401) throw new Error('You have been signed out. Sign in and check again.')
  throw new Error((answer as { detail?: string }).detail ?? "The log couldn't be read.")
}

/** Returns what a failed check shows. The message of a `TypeError` comes from the browser: `fetch` throws it without a network. */
function messageOf(error: unknown): string {
  return error instanceof Error && !(error instanceof TypeError)
    ? error.message
    : m.audit_log_unreachable_error()
}

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
          <p className="max-w-md text-sm text-soft">{m.audit_check_section_intro()}</p>
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
