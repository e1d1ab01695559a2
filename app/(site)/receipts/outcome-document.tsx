/** A receipt of version 2 or 3 as a document, for the check of a file and for the page of a shared receipt. */
import { isCurrencyOfAmount } from '@beak/decision/display/currency-value'
import { permitsNothing } from '@beak/decision/free-text'
import { visible } from '@beak/decision/visible'
import { ruleIdIn } from '@beak/proofs/receipts/decision-statement'
import { type Outcome, outcomeWords } from '@beak/proofs/receipts/outcome'
import type { AnyFacts } from '@beak/proofs/receipts/policy'
import type { OutcomeFacts } from '@beak/proofs/receipts/verify-outcome'
import { type ReactNode, useId } from 'react'
import { nameLabel } from '@/app/(account)/pecks/_values/name-words'
import { Duck } from '@/components/duck'
import { Rosette, WaveBand } from '@/components/security-lines'
import { Sentence } from '@/components/sentence'
import { Facts, Pill, type Tone } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { momentsOf, paramsOf, proofsOf, termsOf } from './outcome-rows'

/** Names that the service knows. A receipt itself contains only ids. */
export interface ReceiptNames {
  requester: string
  operator: string | null
  target: string
}

interface DocumentProps {
  facts: OutcomeFacts
  names?: ReceiptNames
  /** The signed action in words. A browser that checks a file has no table of words, and shows the action itself. */
  words?: ReactNode
  as?: 'h2' | 'h3'
}

const tones: Record<Outcome, Tone> = {
  approved: 'good',
  consumed: 'good',
  rejected: 'bad',
  revoked: 'bad',
  expired: 'neutral',
  cancelled: 'neutral',
}

const scopes = {
  limited: m.receipts_scope_once,
  timed: m.receipts_scope_timed,
  standing: m.receipts_scope_standing,
} as const

/** Whether somebody decided who exists only for tests. Only version 3 can say so. */
export const isTest = ({ statement }: AnyFacts): boolean => statement.version === 3 && statement.test

export const testWords = m.receipts_test_person

/** Shows who asked whom for what, the outcome, and who signed it. */
export function OutcomeDocument({ facts, names, words, as: Title = 'h3' }: DocumentProps) {
  const { statement, outcome, values } = facts
  const heading = useId()
  const action = <bdi translate="no">{visible(statement.action)}</bdi>
  return (
    <article
      aria-labelledby={heading}
      className="relative isolate overflow-hidden rounded-card border border-line bg-surface shadow-card print:break-inside-avoid print:shadow-none"
    >
      <WaveBand
        id={statement.peck_id}
        lines={9}
        strokeWidth={0.6}
        opacity={0.55}
        className="block h-7 w-full text-accent"
      />
      <div className="px-6 py-8 sm:px-10">
        <Rosette
          id={statement.peck_id}
          strokeWidth={0.45}
          opacity={0.16}
          className="absolute -end-20 top-6 -z-10 size-72 text-accent max-sm:opacity-60"
        />
        <p className="flex flex-wrap gap-2">
          {isTest(facts) ? <Pill tone="warn">{m.receipts_only_a_test()}</Pill> : null}
          <Pill tone={tones[outcome]}>
            <span lang="en">{outcomeWords[outcome]}</span>
          </Pill>
        </p>
        <Title id={heading} className="mt-4 max-w-xl font-display text-2xl wrap-anywhere">
          {words ?? action}
        </Title>
        {permitsNothing(statement.action) ? null : (
          <p className="mt-1 text-soft wrap-anywhere">{scopes[statement.scope]()}</p>
        )}
        {statement.audience === null ? null : (
          <p className="mt-1 text-soft wrap-anywhere">
            <Sentence
              of={m.receipts_for_service_audience_named_by_requester}
              with={{ audience: visible(statement.audience) }}
              parts={{ code: (children) => <code translate="no">{children}</code> }}
            />
          </p>
        )}
        <Parties facts={facts} names={names} />
        {values.shown === null ? null : (
          <Displayed shown={values.shown} isSigned={isDisplaySigned(facts)} requester={names?.requester} />
        )}
        <div className="mt-8 border-t border-line pt-6">
          <Facts
            facts={[
              ...(words === undefined
                ? []
                : [{ name: m.receipts_action(), value: <code translate="no">{action}</code> }]),
              ...momentsOf(facts),
              ...paramsOf(facts),
              ...termsOf(facts),
              ...proofsOf(facts),
            ]}
          />
        </div>
      </div>
    </article>
  )
}

function Parties({ facts, names }: Pick<DocumentProps, 'facts' | 'names'>) {
  const { requester, target_duckling_id: target } = facts.statement
  const isDecided = facts.decidedAt !== null
  const operator = names?.operator ?? requester.duckling_id
  return (
    <div className="mt-8 grid gap-6 sm:grid-cols-2">
      <Party
        title={m.receipts_asked_by()}
        id={requester.agent_id ?? requester.duckling_id}
        name={names?.requester}
      >
        {requester.agent_id === null ? null : (
          <Sentence of={m.receipts_an_agent_of_operator} with={{ operator }} />
        )}
      </Party>
      <Party
        title={isDecided ? m.receipts_decided_by() : m.receipts_asked()}
        id={target}
        name={names?.target}
      >
        {isDecided ? howDecided(facts) : m.receipts_who_did_not_decide()}
      </Party>
    </div>
  )
}

function howDecided({ statement, passkey, rule }: OutcomeFacts): string {
  if (ruleIdIn(statement) !== null)
    return rule === null ? m.receipts_answered_by_a_rule_left_out() : m.receipts_decided_by_rule()
  return passkey === null ? m.receipts_in_session_without_signature_passkey() : m.receipts_with_a_passkey()
}

interface PartyProps {
  title: string
  id: string
  name: string | undefined
  children: ReactNode
}

function Party({ title, id, name, children }: PartyProps) {
  return (
    <div className="flex min-w-0 items-start gap-4">
      <Duck id={id} size={52} />
      <div className="min-w-0">
        <p className="text-xs text-soft">{title}</p>
        {name === undefined ? null : (
          <p className="font-semibold wrap-anywhere">
            <bdi translate="no">{name}</bdi>
          </p>
        )}
        <p
          translate="no"
          className={`font-mono wrap-anywhere ${name === undefined ? 'text-sm' : 'text-xs text-soft'}`}
        >
          {id}
        </p>
        <p className="mt-0.5 text-sm text-soft wrap-anywhere">{children}</p>
      </div>
    </div>
  )
}

/** Whether a passkey signed the text of the page. A passkey displays no text, so nothing shows that somebody saw it. */
function isDisplaySigned({ passkey }: OutcomeFacts): boolean {
  return passkey !== null && passkey.statementVersion !== 1
}

interface DisplayedProps {
  shown: NonNullable<OutcomeFacts['values']['shown']>
  isSigned: boolean
  requester: string | undefined
}

function Displayed({ shown, isSigned, requester }: DisplayedProps) {
  const words = { sentence: visible(shown.sentence) }
  const values = shown.values.filter((value) => !isCurrencyOfAmount(value, shown.values))
  return (
    <div className="mt-8 rounded-control bg-sunken px-5 py-4">
      <p className="text-xs text-soft">
        {isSigned ? m.receipts_text_page_that_passkey_signed() : m.receipts_what_the_request_page_shows()}
      </p>
      <p className="mt-1 wrap-anywhere">
        {requester === undefined ? (
          <Sentence of={m.receipts_wants_to_sentence} with={words} />
        ) : (
          <Sentence of={m.receipts_requester_wants_to} with={{ ...words, requester }} />
        )}
      </p>
      <dl className="mt-3 grid gap-x-5 gap-y-1 text-sm sm:grid-cols-[fit-content(40%)_minmax(0,1fr)]">
        {values.map(({ name, type, text }) => (
          <div key={name} className="contents">
            <dt translate="no" className="text-soft wrap-anywhere">
              {nameLabel(visible(name))}
            </dt>
            <dd className="font-semibold whitespace-pre-wrap wrap-anywhere">
              {type === 'secret' ? <Secret text={text} /> : <bdi translate="no">{visible(text)}</bdi>}
            </dd>
          </div>
        ))}
      </dl>
      {values.length === 0 ? null : <p className="mt-3 text-xs text-soft">{m.receipts_names_note()}</p>}
      {shown.message === null ? null : (
        <p className="mt-3 text-sm wrap-anywhere">
          <Sentence
            of={m.receipts_message_from_requester_not_verified_message}
            with={{ message: visible(shown.message) }}
            parts={{ bdi: (children) => <bdi translate="no">{children}</bdi> }}
          />
        </p>
      )}
    </div>
  )
}

/** A value that the request marks as secret. It stays hidden until somebody asks for it. */
function Secret({ text }: { text: string }) {
  return (
    <details>
      <summary className="min-h-6 cursor-pointer text-accent underline">{m.receipts_show_secret()}</summary>
      <bdi translate="no">{visible(text)}</bdi>
    </details>
  )
}
