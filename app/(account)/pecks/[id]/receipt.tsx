import { isFreeText } from '@beak/decision/free-text'
import { ForExperts } from '@/app/_shell/for-experts'
import { withBasePath } from '@/components/base-path'
import { CheckItYourself } from '@/components/check-it-yourself'
import { Sentence } from '@/components/sentence'
import { buttonClass } from '@/components/ui/button'
import { FoldedSection } from '@/components/ui/folded-section'
import { Link } from '@/components/ui/link'
import { Section } from '@/components/ui/surface'
import { WordHelp } from '@/components/ui/word-help'
import { m } from '@/lib/kernel/messages'
import { ShareReceipt } from '../_forms/share-receipt'
import type { PeckWithDetails } from '../_peck/reads'
import { isByRule } from '../_peck/words'

function signedWords({ peck, details }: PeckWithDetails) {
  if (isByRule(peck)) return m.requests_receipt_by_rule
  return details.signed ? m.requests_receipt_signed_by_passkey : m.requests_receipt_by_service_note
}

/** The receipt of the outcome of a request: download it, or give it a public page. */
export function Receipt(request: PeckWithDetails) {
  const { peck } = request
  // Two friends rarely need the proof of an answer, and nobody of a request without one.
  const isRare = isFreeText(peck.action) || peck.status === 'expired' || peck.status === 'cancelled'
  const Frame = isRare ? FoldedSection : Section
  return (
    <Frame id="receipt" title={m.requests_receipt()}>
      <div className="grid gap-5">
        <p className="max-w-prose text-sm text-soft">
          <Sentence
            of={signedWords(request)}
            parts={{
              link: (children) => (
                <Link href="/receipts" className="underline">
                  {children}
                </Link>
              ),
            }}
          />
        </p>
        <div className="flex flex-wrap items-start gap-3">
          {/* A plain link: the router must not prefetch a download. */}
          <a href={withBasePath(`/api/receipt?peck_id=${peck.peck_id}`)} className={buttonClass('plain')}>
            {m.requests_download_receipt()}
          </a>
          <ShareReceipt {...request} />
        </div>
        <WordHelp words={['receipt']} />
        <ForExperts hint={m.requests_receipt_experts_hint()}>
          <CheckItYourself kind="receipt" subject={`beak-receipt-${peck.peck_id}.json`} />
        </ForExperts>
      </div>
    </Frame>
  )
}
