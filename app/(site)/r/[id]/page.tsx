import { signedWords, trustWords } from '@beak/client/verify/receipts/describe'
import { type Outcome, outcomeWords } from '@beak/client/verify/receipts/outcome'
import type { OutcomeFacts } from '@beak/client/verify/receipts/verify-outcome'
import type { Metadata } from 'next'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { answerNotFound } from '@/app/_web/answer-not-found'
import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { PrintButton } from '@/components/ui/print-button'
import { Section } from '@/components/ui/surface'
import { Verdict, type VerdictKind } from '@/components/verdict'
import { isolated } from '@/lib/kernel/text/person-name'
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
  if (checked === null) return { title: 'No such receipt', robots }
  if (checked.facts === null) return { title: 'This receipt is not valid', robots }
  const test = isTest(checked.facts) ? 'Only a test. ' : ''
  const title = `${test}A request of ${isolated(checked.names.requester)}: ${outcomeWords[checked.facts.outcome].toLowerCase()}`
  const description = `Open this page to check the outcome of a request to ${isolated(checked.names.target)}.`
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
        <OutcomeDocument facts={checked.facts} names={checked.names} as="h2" />
      )}
      <div className="no-print flex flex-wrap gap-3">
        {/* A plain link: the router must not prefetch a download. */}
        <a href={withBasePath(`/r/${id}/receipt.json`)} className={buttonClass('plain')}>
          Download receipt
        </a>
        <PrintButton>Print receipt</PrintButton>
      </div>
      <CheckIt />
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
      <Verdict kind="no" title="This receipt is not valid.">
        <p>Its signatures do not match. Don't rely on it.</p>
      </Verdict>
    )
  const sharer = shared.shared_by === 'target' ? names.target : (names.operator ?? names.requester)
  const isForTest = isTest(facts)
  const title = sentenceOf(facts.outcome, names)
  return (
    <Verdict
      kind={isForTest || facts.passkey === null ? 'unsure' : kinds[facts.outcome]}
      title={isForTest ? `Only a test. ${title}` : title}
    >
      {isForTest ? <p className="mb-2 font-semibold">{testWords}</p> : null}
      <p>
        {signersOf(facts)} Nothing was changed since. Shared by <bdi>{sharer}</bdi>.
      </p>
      {facts.outcome === 'approved' ? (
        <p className="mt-1 text-sm">It doesn't show whether the permission is still active.</p>
      ) : null}
    </Verdict>
  )
}

// A permission or a request also ends when an agent is deregistered or an account is closed: no receipt proves who ended it.
function sentenceOf(outcome: Outcome, names: CheckedReceipt['names']): string {
  const [target, requester] = [isolated(names.target), isolated(names.requester)]
  switch (outcome) {
    case 'approved':
      return `${target} approved this request.`
    case 'consumed':
      return `${target} approved this request, and ${requester} used the permission.`
    case 'rejected':
      return `${target} rejected this request.`
    case 'revoked':
      return `${target} approved this request. The permission was revoked later.`
    case 'expired':
      return `${target} did not answer this request in time.`
    case 'cancelled':
      return `This request of ${requester} ended before ${target} answered it.`
  }
}

function signersOf({ passkey }: OutcomeFacts): string {
  if (passkey === null) return 'Only Beak says so: this receipt has no signature of a passkey.'
  if (passkey.statementVersion === 1) return `Beak signed it. The passkey ${signedWords[1]}`
  return `Beak signed it. ${trustWords.signed.text.replace('the service', 'Beak')}`
}

function CheckIt() {
  return (
    <div className="no-print">
      <Section
        id="check"
        title="Check it yourself"
        lead="This page comes from Beak. Check the file with a program from elsewhere, with keys that you kept and with witnesses, and you trust Beak less."
      >
        <p className="max-w-prose text-sm text-soft">
          <Link href="/receipts" className="text-accent underline">
            Check the file in your own browser
          </Link>
          , or with a program, also offline:{' '}
          <Link href="/docs/sites/check-it-yourself" className="text-accent underline">
            Check it yourself
          </Link>
          .
        </p>
      </Section>
    </div>
  )
}
