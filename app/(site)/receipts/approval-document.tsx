'use client'

import type { ReceiptFacts } from '@beak/proofs/receipts/verify'
import { type ReactNode, useState } from 'react'
import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { BrowserTime } from '@/components/ui/browser-time'
import { buttonClass } from '@/components/ui/button'
import { Facts } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { areApproved, noParams } from './judge'

const scopes = {
  limited: m.receipts_scope_once,
  timed: m.receipts_scope_timed,
  standing: m.receipts_scope_standing,
} as const

/** The statement of a receipt as a document: who allowed whom what. */
export function ApprovalDocument({ facts }: { facts: ReceiptFacts }) {
  const { statement } = facts
  const { requester } = statement
  const [verb = '', ...object] = statement.action.split(':')
  return (
    <article
      aria-labelledby="approval"
      className="rounded-card border border-line bg-surface px-6 py-8 shadow-card sm:px-10 print:break-inside-avoid"
    >
      <p className="text-sm font-semibold text-soft">{m.receipts_approved()}</p>
      <h3 id="approval" className="mt-2 font-display text-2xl wrap-anywhere">
        {verb} {object.join(':')}
      </h3>
      <p className="mt-1 text-soft">{scopes[statement.scope]()}</p>
      <div className="mt-8 grid gap-6 sm:grid-cols-2">
        <Party title={m.receipts_asked_by()} id={requester.agent_id ?? requester.duckling_id}>
          {requester.agent_id === null ? null : (
            <Sentence of={m.receipts_an_agent_of_duckling_id} with={{ duckling_id: requester.duckling_id }} />
          )}
        </Party>
        <Party title={m.receipts_approved_by()} id={statement.target_duckling_id}>
          {facts.passkey === null
            ? m.receipts_this_receipt_has_no_signature_passkey()
            : m.receipts_with_passkey_that_checked_person()}
        </Party>
      </div>
      <div className="mt-8 border-t border-line pt-6">
        <Facts
          facts={[
            { name: m.receipts_asked(), value: <BrowserTime at={statement.created_at} /> },
            { name: m.receipts_approved(), value: <BrowserTime at={facts.decidedAt} /> },
            {
              name: m.receipts_valid_until(),
              value: facts.grantExpiresAt === null ? 'revoked' : <BrowserTime at={facts.grantExpiresAt} />,
            },
            { name: m.receipts_peck(), value: <code translate="no">{statement.peck_id}</code> },
            ...(facts.passkey === null
              ? []
              : [
                  {
                    name: m.receipts_passkey(),
                    value: <code translate="no">{facts.passkey.credentialId}</code>,
                  },
                ]),
            {
              name: m.receipts_signed_by(),
              value: (
                <>
                  <Sentence
                    of={m.receipts_issuer_key_kid}
                    with={{ issuer: facts.issuer, kid: facts.kid }}
                    parts={{ code: (children) => <code translate="no">{children}</code> }}
                  />
                </>
              ),
            },
            { name: m.receipts_parameters(), value: <Parameters hash={statement.params_hash} /> },
          ]}
        />
      </div>
    </article>
  )
}

function Party({ title, id, children }: { title: string; id: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 items-start gap-4">
      <Duck id={id} size={52} />
      <div className="min-w-0">
        <p className="text-xs text-soft">{title}</p>
        <p translate="no" className="font-mono text-sm wrap-anywhere">
          {id}
        </p>
        <p className="mt-0.5 text-sm text-soft wrap-anywhere">{children}</p>
      </div>
    </div>
  )
}

/** The digest of the parameters. A receipt contains only the digest, and anyone who has the parameters can compare them. */
function Parameters({ hash }: { hash: string }) {
  const [answer, setAnswer] = useState<{ isSame: boolean | null } | null>(null)
  if (hash === noParams) return <>{m.receipts_none()}</>
  return (
    <>
      <p>
        <Sentence
          of={m.receipts_only_their_sha_256_hash}
          with={{ hash }}
          parts={{ code: (children) => <code translate="no">{children}</code> }}
        />
      </p>
      <details className="mt-2">
        <summary className="min-h-6 py-1 text-accent underline">
          {m.receipts_compare_with_parameters_i_have()}
        </summary>
        <form
          className="mt-2 grid max-w-xl gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            const given = String(new FormData(event.currentTarget).get('params') ?? '')
            void areApproved(given, hash).then((isSame) => setAnswer({ isSame }))
          }}
        >
          <label htmlFor="params" className="font-semibold">
            {m.receipts_parameters_as_json()}
          </label>
          <textarea
            id="params"
            name="params"
            rows={3}
            required
            spellCheck={false}
            placeholder={JSON.stringify({ to: 'pond@example.com' })}
            className="w-full rounded-control border border-edge bg-surface px-3 py-2 font-mono text-ink placeholder:text-soft"
          />
          <button type="submit" className={buttonClass('plain', 'justify-self-start')}>
            {m.receipts_compare()}
          </button>
          <p role="status" className={answer?.isSame ? 'text-good' : 'text-bad'}>
            {answer === null ? '' : comparisonText(answer.isSame)}
          </p>
        </form>
      </details>
    </>
  )
}

function comparisonText(isSame: boolean | null): string {
  if (isSame === null) return m.receipts_this_isnt_json()
  return isSame
    ? m.receipts_yes_exactly_these_parameters_were_approved()
    : m.receipts_no_other_parameters_were_approved()
}
