import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Section } from '@/components/ui/surface'
import { ShareReceipt } from '../_forms/share-receipt'
import type { PeckWithDetails } from '../_peck/reads'

/** The receipt of the outcome of a request: download it, or give it a public page. */
export function Receipt(request: PeckWithDetails) {
  const { peck, details } = request
  return (
    <Section id="receipt" title="Receipt">
      <div className="grid gap-5">
        <p className="max-w-prose text-sm text-soft">
          {details.signed
            ? 'The receipt has the signature of a passkey.'
            : 'The receipt is signed by Beak. No passkey signed it.'}{' '}
          Anyone who has the file can{' '}
          <Link href="/receipts" className="underline">
            verify it
          </Link>
          , even offline.
        </p>
        <div className="flex flex-wrap items-start gap-3">
          {/* A plain link: the router must not prefetch a download. */}
          <a href={withBasePath(`/api/receipt?peck_id=${peck.peck_id}`)} className={buttonClass('plain')}>
            Download receipt
          </a>
          <ShareReceipt {...request} />
        </div>
      </div>
    </Section>
  )
}
