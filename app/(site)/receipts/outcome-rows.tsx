/** The rows of facts in a receipt of version 2 or 3. */
import { permitsNothing } from '@beak/decision/free-text'
import { visible } from '@beak/decision/visible'
import { ruleIdIn } from '@beak/proofs/receipts/decision-statement'
import {
  budgetText,
  enrolmentWords,
  loggedWords,
  noRuleText,
  ruleEnrolmentWords,
  ruleText,
  signedWords,
  withinRuleWords,
} from '@beak/proofs/receipts/describe'
import type { Outcome } from '@beak/proofs/receipts/outcome'
import type { OutcomeFacts } from '@beak/proofs/receipts/verify-outcome'
import { nameLabel } from '@/app/(account)/pecks/_values/name-words'
import { Sentence } from '@/components/sentence'
import { BrowserTime } from '@/components/ui/browser-time'
import type { Facts } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { pinsOf } from './pins'

type Rows = Parameters<typeof Facts>[0]['facts']

const at = (name: string, time: string | null): Rows =>
  time === null ? [] : [{ name, value: <BrowserTime at={time} /> }]

const endNames: Record<Outcome, () => string> = {
  approved: m.receipts_ended,
  rejected: m.receipts_ended,
  expired: m.receipts_expired,
  cancelled: m.receipts_ended,
  revoked: m.receipts_revoked_at,
  consumed: m.receipts_used,
}

/** When the request was asked, decided and used, and when its permission ends. An answer to a favour or a test has none. */
export function momentsOf({ statement, outcome, ...facts }: OutcomeFacts): Rows {
  const isActive = outcome === 'approved' && !permitsNothing(statement.action)
  return [
    ...at(m.receipts_asked(), statement.created_at),
    ...at(outcome === 'rejected' ? m.receipts_rejected() : m.receipts_approved(), facts.decidedAt),
    ...at(endNames[outcome](), facts.endedAt),
    ...(isActive && facts.grantExpiresAt === null
      ? [{ name: m.receipts_valid_until(), value: m.receipts_revoked() }]
      : []),
    ...(isActive ? at(m.receipts_valid_until(), facts.grantExpiresAt) : []),
    ...(facts.uses === 0
      ? []
      : [
          {
            name: m.receipts_uses(),
            value: facts.uses === 1 ? m.receipts_scope_once() : m.receipts_times({ count: facts.uses }),
          },
        ]),
    ...at(m.receipts_as_of(), facts.signedAt),
  ]
}

/** The values, unless the text of the page shows them, and how many are kept out. */
export function paramsOf({ values }: OutcomeFacts): Rows {
  const { params, hiddenParams, shown } = values
  const rows: Rows =
    shown === null
      ? params.map(({ name, value }) => ({
          name: nameLabel(visible(name)),
          value: visible(JSON.stringify(value)),
        }))
      : []
  if (hiddenParams === 0) return rows
  const words =
    hiddenParams === 1
      ? m.receipts_hidden_value_single()
      : m.receipts_hiddenparams_values_are_kept_out_this({ hiddenParams })
  return [...rows, { name: m.receipts_not_shown(), value: words }]
}

/** What the service that acts demanded, and where the passkey signed. Only version 3 has these. */
export function termsOf({ statement }: OutcomeFacts): Rows {
  if (statement.version !== 3) return []
  const { challenge, code, approver } = statement
  return [
    ...(challenge === null
      ? []
      : [{ name: m.receipts_challenge(), value: <code translate="no">{visible(challenge)}</code> }]),
    ...(code === null
      ? []
      : [
          {
            name: m.receipts_code_typed(),
            value: code.typed === null ? m.receipts_none() : <code translate="no">{code.typed}</code>,
          },
        ]),
    ...(approver === null
      ? []
      : [{ name: m.receipts_approver(), value: <code translate="no">{visible(approver)}</code> }]),
  ]
}

/** What the log has about the decision, the newest use and the revocation. */
function logOf({ decided, used, revoked }: OutcomeFacts['logged']): Rows {
  const rowOf = (name: string, event: typeof decided): Rows =>
    event === null ? [] : [{ name, value: loggedWords[event.state] }]
  return [
    ...rowOf(m.receipts_decision_in_the_log(), decided),
    ...rowOf(m.receipts_use_in_the_log(), used),
    ...rowOf(m.receipts_revocation_in_the_log(), revoked),
  ]
}

/** The passkey that signed the decision, and those that vouch for it as lines to keep. Without one, "Decided by" says so. */
function passkeyOf({ passkey, enrolment }: OutcomeFacts): Rows {
  if (passkey === null) return []
  return [
    {
      name: m.receipts_passkey(),
      value: (
        <>
          <code translate="no">{passkey.credentialId}</code>{' '}
          {passkey.statementVersion === 1 ? (
            <span lang="en">{signedWords[1]}</span>
          ) : (
            m.receipts_signed_the_decision()
          )}{' '}
          <span lang="en">{enrolmentWords[enrolment.state]}</span>
        </>
      ),
    },
    ...pinsOf(passkey),
  ]
}

/** The rule that answered, or the passkey that signed the decision. */
function signerOf(facts: OutcomeFacts): Rows {
  const { statement, rule } = facts
  const ruleId = ruleIdIn(statement)
  if (ruleId === null) return passkeyOf(facts)
  const name = m.receipts_rule()
  const id = <code translate="no">{visible(ruleId)}</code>
  if (rule === null)
    return [
      {
        name,
        value: (
          <>
            {id} {noRuleText}
          </>
        ),
      },
    ]
  return [
    {
      name,
      value: (
        <>
          {id}{' '}
          <span lang="en">
            {ruleText} {withinRuleWords[rule.withinRule]}
          </span>
        </>
      ),
    },
    { name: m.receipts_rule_in_words(), value: visible(rule.sentence) },
    ...at(m.receipts_rule_signed(), rule.statement.created_at),
    ...at(m.receipts_rule_valid_until(), rule.statement.expires_at),
    {
      name: m.receipts_passkey_of_the_rule(),
      value: (
        <>
          <code translate="no">{rule.passkey.credentialId}</code> {ruleEnrolmentWords[rule.enrolment.state]}
        </>
      ),
    },
    ...pinsOf(rule.passkey),
    ...(budgetText(rule) === '' ? [] : [{ name: m.receipts_budget(), value: budgetText(rule) }]),
  ]
}

/** Who signed: a passkey, for the decision or for the rule that answered, and the service. */
export function proofsOf(facts: OutcomeFacts): Rows {
  const { statement, logged, issuer, kid } = facts
  return [
    ...signerOf(facts),
    ...(statement.version === 3 ? logOf(logged) : []),
    { name: m.receipts_peck(), value: <code translate="no">{statement.peck_id}</code> },
    {
      name: m.receipts_signed_by(),
      value: (
        <Sentence
          of={m.receipts_issuer_key_kid}
          with={{ issuer, kid }}
          parts={{ code: (children) => <code translate="no">{children}</code> }}
        />
      ),
    },
  ]
}
