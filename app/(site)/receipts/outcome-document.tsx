/** A receipt of version 2 or 3 as a document, for the check of a file and for the page of a shared receipt. */
import { enrolmentWords, loggedWords, signedWords } from '@beak/client/verify/receipts/describe'
import { type Outcome, outcomeWords } from '@beak/client/verify/receipts/outcome'
import type { AnyFacts } from '@beak/client/verify/receipts/policy'
import type { OutcomeFacts } from '@beak/client/verify/receipts/verify-outcome'
import { type ReactNode, useId } from 'react'
import { Duck } from '@/components/duck'
import { Rosette, WaveBand } from '@/components/security-lines'
import { BrowserTime } from '@/components/ui/browser-time'
import { Facts, Pill, type Tone } from '@/components/ui/surface'
import { visible } from '@/lib/kernel/text/visible'
import { pinsOf } from './pins'

/** Names that the service knows. A receipt itself contains only ids. */
export interface ReceiptNames {
  requester: string
  operator: string | null
  target: string
}

interface DocumentProps {
  facts: OutcomeFacts
  names?: ReceiptNames
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
  limited: 'once',
  timed: 'any number of times until it ends',
  standing: 'any number of times until it is revoked',
} as const

/** Whether somebody decided who exists only for tests. Only version 3 can say so. */
export const isTest = ({ statement }: AnyFacts): boolean => statement.version === 3 && statement.test

export const testWords = "The person exists only for tests, so nobody real decided this. Don't act on it."

/** Shows who asked whom for what, the outcome, and who signed it. */
export function OutcomeDocument({ facts, names, as: Title = 'h3' }: DocumentProps) {
  const { statement, outcome, values } = facts
  const heading = useId()
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
          opacity={0.28}
          className="absolute -end-20 top-6 -z-10 size-72 text-accent max-sm:opacity-60"
        />
        <p className="flex flex-wrap gap-2">
          {isTest(facts) ? <Pill tone="warn">Only a test</Pill> : null}
          <Pill tone={tones[outcome]}>{outcomeWords[outcome]}</Pill>
        </p>
        <Title id={heading} className="mt-4 max-w-xl font-display text-2xl wrap-anywhere">
          <bdi>{visible(statement.action)}</bdi>
        </Title>
        <p className="mt-1 text-soft wrap-anywhere">{scopes[statement.scope]}</p>
        {statement.audience === null ? null : (
          <p className="mt-1 text-soft wrap-anywhere">
            For the service <code>{visible(statement.audience)}</code> (named by the requester)
          </p>
        )}
        <Parties facts={facts} names={names} />
        {values.shown === null ? null : <Displayed shown={values.shown} isSigned={isDisplaySigned(facts)} />}
        <div className="mt-8 border-t border-line pt-6">
          <Facts facts={[...momentsOf(facts), ...paramsOf(facts), ...termsOf(facts), ...proofsOf(facts)]} />
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
      <Party title="Asked by" id={requester.agent_id ?? requester.duckling_id} name={names?.requester}>
        {requester.agent_id === null ? null : (
          <>
            an agent of <bdi>{operator}</bdi>
          </>
        )}
      </Party>
      <Party title={isDecided ? 'Decided by' : 'Asked'} id={target} name={names?.target}>
        {isDecided
          ? facts.passkey === null
            ? 'in a session, without the signature of a passkey'
            : 'with a passkey'
          : 'who did not decide'}
      </Party>
    </div>
  )
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
            <bdi>{name}</bdi>
          </p>
        )}
        <p className={`font-mono wrap-anywhere ${name === undefined ? 'text-sm' : 'text-xs text-soft'}`}>
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
}

function Displayed({ shown, isSigned }: DisplayedProps) {
  return (
    <div className="mt-8 rounded-control bg-sunken px-5 py-4">
      <p className="text-xs text-soft">
        {isSigned ? 'The text of the page that the passkey signed' : 'What the request page shows'}
      </p>
      <p className="mt-1 wrap-anywhere">wants to {visible(shown.sentence)}</p>
      <dl className="mt-3 grid gap-x-5 gap-y-1 text-sm sm:grid-cols-[fit-content(40%)_minmax(0,1fr)]">
        {shown.values.map(({ name, type, text }) => (
          <div key={name} className="contents">
            <dt className="text-soft wrap-anywhere">{visible(name)}</dt>
            <dd className="font-semibold whitespace-pre-wrap wrap-anywhere">
              {type === 'secret' ? <Secret text={text} /> : <bdi>{visible(text)}</bdi>}
            </dd>
          </div>
        ))}
      </dl>
      {shown.message === null ? null : (
        <p className="mt-3 text-sm wrap-anywhere">
          Message from the requester (not verified): <bdi>“{visible(shown.message)}”</bdi>
        </p>
      )}
    </div>
  )
}

/** A value that the request marks as secret. It stays hidden until somebody asks for it. */
function Secret({ text }: { text: string }) {
  return (
    <details>
      <summary className="min-h-6 cursor-pointer text-accent underline">Show secret</summary>
      <bdi>{visible(text)}</bdi>
    </details>
  )
}

type Rows = Parameters<typeof Facts>[0]['facts']

const at = (name: string, time: string | null): Rows =>
  time === null ? [] : [{ name, value: <BrowserTime at={time} /> }]

const endNames: Record<Outcome, string> = {
  approved: 'Ended',
  rejected: 'Ended',
  expired: 'Expired',
  cancelled: 'Ended',
  revoked: 'Revoked',
  consumed: 'Used',
}

function momentsOf({ statement, outcome, ...facts }: OutcomeFacts): Rows {
  const isActive = outcome === 'approved'
  return [
    ...at('Asked', statement.created_at),
    ...at(outcome === 'rejected' ? 'Rejected' : 'Approved', facts.decidedAt),
    ...at(endNames[outcome], facts.endedAt),
    ...(isActive && facts.grantExpiresAt === null ? [{ name: 'Valid until', value: 'revoked' }] : []),
    ...(isActive ? at('Valid until', facts.grantExpiresAt) : []),
    ...(facts.uses === 0 ? [] : [{ name: 'Uses', value: facts.uses === 1 ? 'once' : `${facts.uses} times` }]),
    ...at('As of', facts.signedAt),
  ]
}

function paramsOf({ values }: OutcomeFacts): Rows {
  const { params, hiddenParams, shown } = values
  const rows: Rows =
    shown === null
      ? params.map(({ name, value }) => ({ name: visible(name), value: visible(JSON.stringify(value)) }))
      : []
  if (hiddenParams === 0) return rows
  const words =
    hiddenParams === 1
      ? '1 value is kept out of this receipt. Its hash is signed.'
      : `${hiddenParams} values are kept out of this receipt. Their hashes are signed.`
  return [...rows, { name: 'Not shown', value: words }]
}

/** What the service that acts demanded, and where the passkey signed. Only version 3 has these. */
function termsOf({ statement }: OutcomeFacts): Rows {
  if (statement.version !== 3) return []
  const { challenge, code, approver } = statement
  return [
    ...(challenge === null ? [] : [{ name: 'Challenge', value: <code>{visible(challenge)}</code> }]),
    ...(code === null
      ? []
      : [{ name: 'Code typed', value: code.typed === null ? 'none' : <code>{code.typed}</code> }]),
    ...(approver === null ? [] : [{ name: 'Approver', value: <code>{visible(approver)}</code> }]),
  ]
}

/** What the log has about the decision, the newest use and the revocation. */
function logOf({ decided, used, revoked }: OutcomeFacts['logged']): Rows {
  const rowOf = (name: string, event: typeof decided): Rows =>
    event === null ? [] : [{ name, value: loggedWords[event.state] }]
  return [
    ...rowOf('Decision in the log', decided),
    ...rowOf('Use in the log', used),
    ...rowOf('Revocation in the log', revoked),
  ]
}

/** The passkeys that vouch for the one that signed, and all of them as lines to keep. */
function proofsOf({ statement, passkey, enrolment, logged, issuer, kid }: OutcomeFacts): Rows {
  return [
    {
      name: 'Passkey',
      value: (
        <>
          {passkey === null ? null : (
            <>
              <code>{passkey.credentialId}</code>{' '}
              {passkey.statementVersion === 1 ? signedWords[1] : 'signed the decision.'}{' '}
            </>
          )}
          {enrolmentWords[enrolment.state]}
        </>
      ),
    },
    ...(passkey === null ? [] : pinsOf(passkey)),
    ...(statement.version === 3 ? logOf(logged) : []),
    { name: 'Peck', value: <code>{statement.peck_id}</code> },
    {
      name: 'Signed by',
      value: (
        <>
          {issuer}, key <code>{kid}</code>
        </>
      ),
    },
  ]
}
