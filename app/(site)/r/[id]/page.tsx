import { permitsNothing } from '@beak/decision/free-text'
import { isolated } from '@beak/decision/person-name'
import { ruleIdIn } from '@beak/proofs/receipts/decision-statement'
import { signedWords, trustWords } from '@beak/proofs/receipts/describe'
import { type Outcome, outcomeWords } from '@beak/proofs/receipts/outcome'
import type { OutcomeFacts } from '@beak/proofs/receipts/verify-outcome'
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ForExperts } from '@/app/_shell/for-experts'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { answerNotFound } from '@/app/_web/page-read'
import { withBasePath } from '@/components/base-path'
import { CheckItYourself } from '@/components/check-it-yourself'
import { ActionWords } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { PrintButton } from '@/components/ui/print-button'
import { Verdict, type VerdictKind } from '@/components/verdict'
import { m } from '@/lib/kernel/messages'
import { actionLabel } from '@/lib/kernel/text/shown-action'
import { isTest, OutcomeDocument, testWords } from '../../receipts/outcome-document'
import NoSuchReceipt from './not-found'
import { type CheckedReceipt, readReceipt } from './read-receipt'

interface PageProps {
  params: Promise<{ id: string }>
}

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: PageProps): Promise<Metadata> {
  const { id } = await params
  const checked = await readReceipt(id)
  // The person who shares a receipt chooses who gets the link, so search engines must not list it.
  const robots = { index: false }
  if (checked === null) return { title: m.r_no_such_receipt(), robots }
  if (checked.facts === null) return { title: m.r_this_receipt_is_not_valid(), robots }
  const named = {
    requester: isolated(checked.names.requester),
    outcome: outcomeWords[checked.facts.outcome].toLowerCase(),
  }
  const title = isTest(checked.facts) ? m.r_test_request_of(named) : m.r_request_of(named)
  const description = m.r_page_description({ target: isolated(checked.names.target) })
  return {
    title,
    description,
    robots,
    openGraph: { title, description, type: 'website', siteName: 'Beak', url: `/r/${id}` },
    twitter: { card: 'summary_large_image', title, description },
  }
})

/** A receipt that one of its sides made public, checked when the page is opened. */
export default withProblemPage(async function SharedReceiptPage({ params }: PageProps) {
  const { id } = await params
  const checked = await readReceipt(id)
  if (checked === null) {
    answerNotFound()
    return <NoSuchReceipt />
  }
  return (
    <div className="mx-auto grid max-w-4xl gap-8">
      <ReceiptVerdict {...checked} />
      {checked.facts === null ? null : (
        <OutcomeDocument
          facts={checked.facts}
          names={checked.names}
          words={<ActionWords words={actionLabel(checked.facts.statement.action, 'the')} />}
          as="h2"
        />
      )}
      <div className="no-print flex flex-wrap gap-3">
        {/* A plain link: the router must not prefetch a download. */}
        <a href={withBasePath(`/r/${id}/receipt.json`)} className={buttonClass('plain')}>
          {m.r_download_receipt()}
        </a>
        <PrintButton>{m.r_print_receipt()}</PrintButton>
      </div>
      <CheckIt file={`beak-receipt-${checked.shared.receipt.peck_id}.json`} />
    </div>
  )
})

const kinds: Record<Outcome, VerdictKind> = {
  approved: 'yes',
  consumed: 'yes',
  rejected: 'no',
  revoked: 'no',
  expired: 'unsure',
  cancelled: 'unsure',
}

function ReceiptVerdict({ shared, names, facts }: CheckedReceipt) {
  if (facts === null)
    return (
      <Verdict kind="no" title={m.r_verdict_not_valid()}>
        <p>{m.r_invalid_signatures_warning()}</p>
      </Verdict>
    )
  const sharer = shared.shared_by === 'target' ? names.target : (names.operator ?? names.requester)
  const isForTest = isTest(facts)
  const title = sentenceOf(facts, names)
  return (
    <Verdict
      kind={isForTest || facts.passkey === null ? 'unsure' : kinds[facts.outcome]}
      title={isForTest ? <Sentence of={m.r_only_a_test} parts={{ title: () => title }} /> : title}
    >
      {isForTest ? <p className="mb-2 font-semibold">{testWords()}</p> : null}
      <p>
        <Sentence
          of={m.r_facts_nothing_was_changed_since_shared}
          with={{ facts: signersOf(facts), sharer }}
        />
      </p>
      {facts.outcome === 'approved' ? (
        <p className="mt-1 text-sm">
          {permitsNothing(facts.statement.action) ? m.r_permits_nothing_note() : m.r_permission_state_note()}
        </p>
      ) : null}
    </Verdict>
  )
}

// A permission or a request also ends when an agent is deregistered or an account is closed: no receipt proves who ended it.
function sentenceOf(
  { outcome, statement }: OutcomeFacts,
  { target, requester }: CheckedReceipt['names'],
): ReactNode {
  const byRule = ruleIdIn(statement) !== null
  switch (outcome) {
    case 'approved':
      return (
        <Sentence
          of={byRule ? m.r_rule_of_target_approved : m.r_target_approved_this_request}
          with={{ target }}
        />
      )
    case 'consumed':
      return (
        <Sentence
          of={byRule ? m.r_rule_of_target_approved_used : m.r_target_approved_this_request_requester_used}
          with={{ target, requester }}
        />
      )
    case 'rejected':
      return (
        <Sentence
          of={byRule ? m.r_rule_of_target_rejected : m.r_target_rejected_this_request}
          with={{ target }}
        />
      )
    case 'revoked':
      return (
        <Sentence
          of={byRule ? m.r_rule_of_target_approved_revoked : m.r_target_approved_this_request_permission_was}
          with={{ target }}
        />
      )
    case 'expired':
      return <Sentence of={m.r_target_did_not_answer_this_request} with={{ target }} />
    case 'cancelled':
      return <Sentence of={m.r_this_request_requester_ended_before_target} with={{ requester, target }} />
  }
}

function signersOf({ passkey, statement }: OutcomeFacts): string {
  if (ruleIdIn(statement) !== null) return m.r_signed_by_rule_note()
  if (passkey === null) return m.r_no_passkey_signature_note()
  if (passkey.statementVersion === 1) return m.r_beak_signed_it_and_passkey({ signed: signedWords[1] })
  return m.r_beak_signed_it({ trust: trustWords.signed.text.replace('the service', 'Beak') })
}

function CheckIt({ file }: { file: string }) {
  return (
    <ForExperts hint={m.r_this_page_comes_from_beak_check()}>
      <div className="grid gap-4 pb-6">
        <p className="max-w-prose text-sm text-soft">
          <Sentence
            of={m.r_check_yourself_body}
            parts={{
              link: (children) => (
                <Link href="/receipts" className="text-accent underline">
                  {children}
                </Link>
              ),
            }}
          />
        </p>
        <CheckItYourself kind="receipt" subject={file} />
      </div>
    </ForExperts>
  )
}
