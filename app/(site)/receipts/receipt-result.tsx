'use client'

import {
  enrolmentWords,
  noEarlierSignature,
  signedWords,
  trustWords,
} from '@beak/client/verify/receipts/describe'
import { outcomeWords } from '@beak/client/verify/receipts/outcome'
import { type ReceiptPart, receiptParts } from '@beak/client/verify/receipts/refusal'
import { Check, Minus, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from '@/components/ui/link'
import { Verdict } from '@/components/verdict'
import { ApprovalDocument } from './approval-document'
import type { Judgement, PastedKeys } from './judge'
import { KeysForm } from './keys-form'
import { isTest, OutcomeDocument, testWords } from './outcome-document'

type HeldFacts = Extract<Judgement, { outcome: 'holds' }>['facts']

interface ResultProps {
  judgement: Judgement
  /** The keys that the check used. Null: none were pasted. */
  pasted: PastedKeys | null
  /** Checks again with pasted keys. Returns what is wrong with the keys, or null. */
  onKeys: (keys: PastedKeys) => Promise<string | null>
  issuer: string
}

/** The result of a check: the verdict, the parts of the receipt, and its contents when it is valid. */
export default function ReceiptResult({ judgement, pasted, onKeys, issuer }: ResultProps) {
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => top.current?.focus(), [])
  return (
    <div ref={top} tabIndex={-1} className="grid scroll-mt-6 gap-8 outline-none">
      <ReceiptVerdict judgement={judgement} issuer={issuer} />
      {judgement.outcome === 'holds' && judgement.keys === 'none' ? (
        <KeysForm issuer={judgement.facts.issuer} needsService pasted={pasted} onKeys={onKeys} />
      ) : null}
      {judgement.outcome === 'holds' || judgement.outcome === 'fails' ? (
        <ReceiptParts judgement={judgement} />
      ) : null}
      {judgement.outcome !== 'holds' ? null : judgement.facts.version === 1 ? (
        <ApprovalDocument facts={judgement.facts} />
      ) : (
        <OutcomeDocument facts={judgement.facts} />
      )}
      {canCheckAgain(judgement, pasted) ? (
        <details className="no-print" open={pasted !== null}>
          <summary className="min-h-6 cursor-pointer py-1 text-accent underline">
            Check with keys or passkeys that I kept, and with witnesses
          </summary>
          <div className="mt-4">
            <KeysForm
              issuer={judgement.outcome === 'holds' ? judgement.facts.issuer : issuer}
              needsService={false}
              pasted={pasted}
              onKeys={onKeys}
            />
          </div>
        </details>
      ) : null}
    </div>
  )
}

/** A receipt that pasted keys refuse can be checked with other keys. */
function canCheckAgain(judgement: Judgement, pasted: PastedKeys | null): boolean {
  if (judgement.outcome === 'fails') return pasted !== null
  return judgement.outcome === 'holds' && judgement.keys !== 'none'
}

function ReceiptVerdict({ judgement, issuer }: Pick<ResultProps, 'judgement' | 'issuer'>) {
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
  const { facts, keys, trust } = judgement
  if (keys === 'none' || trust === null)
    return (
      <Verdict as="h2" kind="other" title="Unchanged, but from another service">
        <p>
          It claims to come from <span className="wrap-anywhere">{facts.issuer}</span>, not from {issuer}.
          Anyone can make such a receipt with their own keys. Check it with the keys of that service.
        </p>
      </Verdict>
    )
  const isForTest = isTest(facts)
  const title = `${trustWords[trust].title}: ${outcomeOf(facts).toLowerCase()}`
  return (
    <Verdict
      as="h2"
      kind={isForTest || trust === 'service' ? 'unsure' : 'yes'}
      title={isForTest ? `Only a test. ${title}` : title}
    >
      {isForTest ? <p className="mb-2 font-semibold">{testWords}</p> : null}
      <p>
        {trustWords[trust].text} {signedText(facts)} Nothing was changed since.
        {keys === 'given' ? ' Checked with the keys you pasted.' : ''}
      </p>
    </Verdict>
  )
}

/** The outcome of the request. Receipts of version 1 are always about an approval. */
function outcomeOf(facts: HeldFacts): string {
  return outcomeWords[facts.version === 1 ? 'approved' : facts.outcome]
}

/** What the signatures cover. The passkey that decided may have signed less than the receipt shows. */
function signedText(facts: HeldFacts): string {
  if (facts.passkey === null) return facts.version === 1 ? noEarlierSignature : ''
  if (facts.version === 1) return ''
  if (facts.passkey.statementVersion === 1) return `The passkey ${signedWords[1]}`
  return enrolmentWords[facts.enrolment.state]
}

const partNames: Record<ReceiptPart, string> = {
  file: 'The file',
  jwks: 'The keys in the file',
  jws: "The service's signature",
  statement: 'The statement',
  passkey: "The passkey's signature",
  enrolment: "The passkey's entry in the transparency log",
  logged: 'The decision in the transparency log',
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

/** Receipts of version 1 have no enrolment and no values, and not every later receipt has them. */
function isPartOf(part: ReceiptPart, judgement: Judgement): boolean {
  if (judgement.outcome === 'fails') return judgement.fault.part === part || !optionalParts.includes(part)
  if (judgement.outcome !== 'holds') return false
  const { facts } = judgement
  if (part === 'enrolment') return facts.version !== 1 && facts.enrolment.index !== null
  if (part === 'logged') return facts.version !== 1 && (facts.logged.decided?.index ?? null) !== null
  return part !== 'values' || (facts.version !== 1 && facts.values.params.length > 0)
}

const optionalParts: ReceiptPart[] = ['enrolment', 'logged', 'values']

/** The state of a part that is not simply valid, in a receipt that is valid as a whole. */
function exceptionOf(part: ReceiptPart, judgement: Judgement): 'none' | 'unproven' | 'undated' | null {
  if (judgement.outcome !== 'holds') return null
  const { facts } = judgement
  if (part === 'passkey' && facts.passkey === null) return 'none'
  if (part === 'enrolment' && facts.version !== 1 && facts.enrolment.state !== 'proven')
    return facts.enrolment.state === 'log_not_trusted' ? 'unproven' : 'undated'
  if (part === 'logged' && facts.version !== 1 && facts.logged.decided?.state !== 'proven')
    return facts.logged.decided?.state === 'log_not_trusted' ? 'unproven' : 'undated'
  return part === 'jws' && judgement.keys === 'none' ? 'unproven' : null
}
