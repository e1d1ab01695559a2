'use client'

import { ruleIdIn } from '@beak/proofs/receipts/decision-statement'
import {
  enrolmentWords,
  noEarlierSignature,
  noRuleText,
  ruleText,
  signedWords,
  trustWords,
  withinRuleWords,
} from '@beak/proofs/receipts/describe'
import { outcomeWords } from '@beak/proofs/receipts/outcome'
import { type ReceiptPart, receiptParts } from '@beak/proofs/receipts/refusal'
import { Check, Minus, X } from 'lucide'
import { useEffect, useRef } from 'react'
import { Sentence } from '@/components/sentence'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Verdict } from '@/components/verdict'
import { m } from '@/lib/kernel/messages'
import { ApprovalDocument } from './approval-document'
import type { Judgement, PastedKeys } from './judge'
import { KeysForm } from './keys-form'
import { isTest, OutcomeDocument, testWords } from './outcome-document'

type VerifiedFacts = Extract<Judgement, { outcome: 'holds' }>['facts']

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
            {m.receipts_check_more_toggle()}
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
      <Verdict as="h2" kind="no" title={m.receipts_this_isnt_a_receipt()}>
        <p>{m.receipts_unreadable_body()}</p>
      </Verdict>
    )
  if (judgement.outcome === 'incapable')
    return (
      <Verdict as="h2" kind="unsure" title={m.receipts_this_browser_cant_check_receipts()}>
        <p>
          <Sentence
            of={m.receipts_browser_unsupported_body}
            parts={{
              link: (children) => (
                <Link href="/docs/sites/check-it-yourself" className="underline">
                  {children}
                </Link>
              ),
            }}
          />
        </p>
      </Verdict>
    )
  if (judgement.outcome === 'fails')
    return (
      <Verdict as="h2" kind="no" title={m.receipts_this_receipt_is_not_valid()}>
        <p>{m.receipts_message_dont_rely_on_it({ message: judgement.fault.message })}</p>
      </Verdict>
    )
  const { facts, keys, trust } = judgement
  if (keys === 'none' || trust === null)
    return (
      <Verdict as="h2" kind="other" title={m.receipts_unchanged_but_from_another_service()}>
        <p>
          <Sentence
            of={m.receipts_it_claims_come_from_issuer_not}
            with={{ issuer: facts.issuer, issuer2: issuer }}
            parts={{ span: (children) => <span className="wrap-anywhere">{children}</span> }}
          />
        </p>
      </Verdict>
    )
  const isForTest = isTest(facts)
  const title = `${trustWords[trust].title}: ${outcomeOf(facts).toLowerCase()}`
  return (
    <Verdict
      as="h2"
      kind={isForTest || trust === 'service' ? 'unsure' : 'yes'}
      title={isForTest ? m.receipts_only_a_test_title({ title }) : title}
    >
      {isForTest ? <p className="mb-2 font-semibold">{testWords()}</p> : null}
      <p>
        {m.receipts_unchanged_verdict_body({ trust: trustWords[trust].text, signed: signedText(facts) })}
        {keys === 'given' ? ` ${m.receipts_checked_with_the_keys_you_pasted()}` : null}
      </p>
    </Verdict>
  )
}

/** The outcome of the request. Receipts of version 1 are always about an approval. */
function outcomeOf(facts: VerifiedFacts): string {
  return outcomeWords[facts.version === 1 ? 'approved' : facts.outcome]
}

/** What the signatures cover. The passkey that decided may have signed less than the receipt shows. */
function signedText(facts: VerifiedFacts): string {
  if (facts.version !== 1 && ruleIdIn(facts.statement) !== null)
    return facts.rule === null ? noRuleText : `${ruleText} ${withinRuleWords[facts.rule.withinRule]}`
  if (facts.passkey === null) return facts.version === 1 ? noEarlierSignature : ''
  if (facts.version === 1) return ''
  if (facts.passkey.statementVersion === 1) return m.receipts_the_passkey_signed({ signed: signedWords[1] })
  return enrolmentWords[facts.enrolment.state]
}

const partNames: Record<ReceiptPart, () => string> = {
  file: m.receipts_the_file,
  jwks: m.receipts_the_keys_in_the_file,
  jws: m.receipts_the_services_signature,
  statement: m.receipts_the_statement,
  passkey: m.receipts_the_passkeys_signature,
  enrolment: m.receipts_passkeys_entry_in_transparency_log,
  logged: m.receipts_the_decision_in_the_transparency_log,
  values: m.receipts_the_values,
  rule: m.receipts_the_rule,
}

const partWords = {
  holds: { word: m.receipts_part_valid, sign: Check, look: 'text-good' },
  fails: { word: m.receipts_part_not_valid, sign: X, look: 'font-semibold text-bad' },
  open: { word: m.receipts_part_not_checked, sign: Minus, look: 'text-soft' },
  unproven: { word: m.receipts_part_matches_file, sign: Minus, look: 'text-soft' },
  none: { word: m.receipts_part_none, sign: Minus, look: 'text-soft' },
  undated: { word: m.receipts_part_undated, sign: Minus, look: 'text-soft' },
} as const

function ReceiptParts({ judgement }: { judgement: Extract<Judgement, { outcome: 'holds' | 'fails' }> }) {
  const broken =
    judgement.outcome === 'fails' ? receiptParts.indexOf(judgement.fault.part) : receiptParts.length
  return (
    <section aria-labelledby="parts">
      <h3 id="parts">{m.receipts_part_by_part()}</h3>
      <ul className="mt-3 border-t border-line">
        {receiptParts.map((part, index) => {
          if (!isPartOf(part, judgement)) return null
          const state = index < broken ? 'holds' : index === broken ? 'fails' : 'open'
          const { word, sign, look } = partWords[exceptionOf(part, judgement) ?? state]
          return (
            <li
              key={part}
              className="flex flex-wrap items-center gap-x-3 border-b border-line py-2.5 text-sm"
            >
              <span className="min-w-52">{partNames[part]()}</span>
              <span className={`flex items-center gap-2 ${look}`}>
                <Icon of={sign} size={18} className="shrink-0" />
                {word()}
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
  if (part === 'rule') return facts.version !== 1 && facts.rule !== null
  return part !== 'values' || (facts.version !== 1 && facts.values.params.length > 0)
}

const optionalParts: ReceiptPart[] = ['enrolment', 'logged', 'values', 'rule']

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
