'use client'

import { enrolmentWords, noEarlierSignature, signedWords } from '@beak/client/verify/receipts/describe'
import { outcomeWords } from '@beak/client/verify/receipts/outcome'
import { type ReceiptPart, receiptParts } from '@beak/client/verify/receipts/refusal'
import { Check, Minus, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Verdict } from '@/components/verdict'
import { ApprovalDocument } from './approval-document'
import type { Judgement } from './judge'
import { OutcomeDocument } from './outcome-document'

type HeldFacts = Extract<Judgement, { outcome: 'holds' }>['facts']

interface ResultProps {
  judgement: Judgement
  /** Checks again with a pasted key set. False when the text is not a key set. */
  onKeys: (keys: string) => Promise<boolean>
  issuer: string
}

/** The result of a check: the verdict, the parts of the receipt, and its contents when it is valid. */
export default function ReceiptResult({ judgement, onKeys, issuer }: ResultProps) {
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => top.current?.focus(), [])
  return (
    <div ref={top} tabIndex={-1} className="grid scroll-mt-6 gap-8 outline-none">
      <ReceiptVerdict judgement={judgement} issuer={issuer} />
      {judgement.outcome === 'holds' && judgement.trust === 'none' ? (
        <KeysForm issuer={judgement.facts.issuer} onKeys={onKeys} />
      ) : null}
      {judgement.outcome === 'holds' || judgement.outcome === 'fails' ? (
        <ReceiptParts judgement={judgement} />
      ) : null}
      {judgement.outcome !== 'holds' ? null : judgement.facts.version === 1 ? (
        <ApprovalDocument facts={judgement.facts} />
      ) : (
        <OutcomeDocument facts={judgement.facts} />
      )}
    </div>
  )
}

function ReceiptVerdict({ judgement, issuer }: { judgement: Judgement; issuer: string }) {
  if (judgement.outcome === 'unreadable')
    return (
      <Verdict as="h2" kind="no" title="This isn't a receipt">
        <p>
          The text is not JSON, or a part of it is missing. Copy it again, from the first to the last brace.
        </p>
      </Verdict>
    )
  if (judgement.outcome === 'incapable')
    return (
      <Verdict as="h2" kind="unsure" title="This browser can't check receipts">
        <p>
          It lacks Web Crypto with Ed25519, or this page was not opened over https. Use a newer browser, or{' '}
          <Link href="/docs/sites/check-it-yourself" className="underline">
            check it yourself
          </Link>{' '}
          with a program.
        </p>
      </Verdict>
    )
  if (judgement.outcome === 'fails')
    return (
      <Verdict as="h2" kind="no" title="This receipt is not valid">
        <p>{judgement.fault.message} Don't rely on it.</p>
      </Verdict>
    )
  const { facts, trust } = judgement
  if (trust === 'none')
    return (
      <Verdict as="h2" kind="other" title="Unchanged, but from another service">
        <p>
          It claims to come from <span className="wrap-anywhere">{facts.issuer}</span>, not from {issuer}.
          Anyone can make such a receipt with their own keys. Check it with the keys of that service.
        </p>
      </Verdict>
    )
  return (
    <Verdict as="h2" kind="yes" title={`Receipt verified: ${outcomeOf(facts).toLowerCase()}`}>
      <p>
        {signedText(facts)} Nothing was changed since.
        {trust === 'given' ? ' Checked with the keys you pasted.' : ''}
      </p>
    </Verdict>
  )
}

/** The outcome of the request. Receipts of version 1 are always about an approval. */
function outcomeOf(facts: HeldFacts): string {
  return outcomeWords[facts.version === 1 ? 'approved' : facts.outcome]
}

/** Who signed what. The passkey that decided may have signed less than the receipt shows. */
function signedText(facts: HeldFacts): string {
  if (facts.passkey === null)
    return facts.version === 1
      ? `The service signed exactly this. ${noEarlierSignature}`
      : 'The service signed exactly this.'
  if (facts.version === 2 && facts.passkey.statementVersion === 1)
    return `The service signed exactly this. The passkey of the person who decided ${signedWords[1]}`
  const signed = 'The service and the passkey of the person who decided signed exactly this.'
  return facts.version === 1 ? signed : `${signed} ${enrolmentWords[facts.enrolment.state]}`
}

function KeysForm({ issuer, onKeys }: { issuer: string; onKeys: ResultProps['onKeys'] }) {
  const [isWrong, setIsWrong] = useState(false)
  return (
    <form
      className="grid max-w-2xl gap-1.5"
      onSubmit={(event) => {
        event.preventDefault()
        void onKeys(String(new FormData(event.currentTarget).get('keys') ?? '')).then((ok) => setIsWrong(!ok))
      }}
    >
      <label htmlFor="keys" className="text-sm font-semibold">
        The service's keys
      </label>
      <p id="keys-hint" className="text-sm text-soft">
        Open <span className="font-mono wrap-anywhere">{issuer}/.well-known/jwks.json</span> over a connection
        you trust, and paste what you see.
      </p>
      <textarea
        id="keys"
        name="keys"
        rows={4}
        required
        spellCheck={false}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? 'keys-hint keys-error' : 'keys-hint'}
        className="w-full rounded-control border border-edge bg-surface px-3 py-2 font-mono text-sm text-ink aria-invalid:border-bad"
      />
      {isWrong ? (
        <p id="keys-error" role="alert" className="text-sm font-medium text-bad">
          This isn't a set of Ed25519 keys.
        </p>
      ) : null}
      <button type="submit" className={buttonClass('plain', 'mt-2 justify-self-start')}>
        Check with these keys
      </button>
    </form>
  )
}

const partNames: Record<ReceiptPart, string> = {
  file: 'The file',
  jwks: 'The keys in the file',
  jws: "The service's signature",
  statement: 'The statement',
  passkey: "The passkey's signature",
  enrolment: "The passkey's entry in the transparency log",
  values: 'The values',
}

const partWords = {
  holds: { word: 'valid', Sign: Check, look: 'text-good' },
  fails: { word: 'not valid', Sign: X, look: 'font-semibold text-bad' },
  open: { word: 'not checked', Sign: Minus, look: 'text-soft' },
  unproven: { word: 'matches the keys in the file, which anyone can make', Sign: Minus, look: 'text-soft' },
  none: { word: 'none in this receipt', Sign: Minus, look: 'text-soft' },
  undated: { word: 'valid, but no witness confirms since when', Sign: Minus, look: 'text-soft' },
} as const

function ReceiptParts({ judgement }: { judgement: Extract<Judgement, { outcome: 'holds' | 'fails' }> }) {
  const broken =
    judgement.outcome === 'fails' ? receiptParts.indexOf(judgement.fault.part) : receiptParts.length
  return (
    <section aria-labelledby="parts">
      <h3 id="parts">Part by part</h3>
      <ul className="mt-3 border-t border-line">
        {receiptParts.map((part, index) => {
          if (!isPartOf(part, judgement)) return null
          const state = index < broken ? 'holds' : index === broken ? 'fails' : 'open'
          const { word, Sign, look } = partWords[exceptionOf(part, judgement) ?? state]
          return (
            <li
              key={part}
              className="flex flex-wrap items-center gap-x-3 border-b border-line py-2.5 text-sm"
            >
              <span className="min-w-52">{partNames[part]}</span>
              <span className={`flex items-center gap-2 ${look}`}>
                <Sign aria-hidden="true" size={18} className="shrink-0" />
                {word}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Receipts of version 1 have no enrolment and no values, and not every receipt of version 2 has them. */
function isPartOf(part: ReceiptPart, judgement: Judgement): boolean {
  if (judgement.outcome === 'fails') return judgement.fault.part === part || !optionalParts.includes(part)
  if (judgement.outcome !== 'holds') return false
  const { facts } = judgement
  if (part === 'enrolment') return facts.version === 2 && facts.enrolment.index !== null
  return part !== 'values' || (facts.version === 2 && facts.values.params.length > 0)
}

const optionalParts: ReceiptPart[] = ['enrolment', 'values']

/** The state of a part that is not simply valid, in a receipt that is valid as a whole. */
function exceptionOf(part: ReceiptPart, judgement: Judgement): 'none' | 'unproven' | 'undated' | null {
  if (judgement.outcome !== 'holds') return null
  const { facts } = judgement
  if (part === 'passkey' && facts.passkey === null) return 'none'
  if (part === 'enrolment' && facts.version === 2 && facts.enrolment.state !== 'proven')
    return facts.enrolment.state === 'log_not_trusted' ? 'unproven' : 'undated'
  return part === 'jws' && judgement.trust === 'none' ? 'unproven' : null
}
