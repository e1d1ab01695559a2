import { withBasePath } from '@/app/_web/base-path'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Section } from '@/components/ui/surface'
import { RevokeForm } from '../_forms/revoke-form'
import type { Peck, PeckWithDetails } from '../_peck/reads'
import { usesAndLimit } from '../_peck/words'

type GrantStatus = NonNullable<Peck['grant_status']>

function statusWords(status: GrantStatus, peck: Peck): string {
  switch (status) {
    case 'active':
      return `This permission is active. ${usesAndLimit(peck)}.`
    case 'consumed':
      return 'This permission has been used.'
    case 'expired':
      return `This permission has expired. ${usesAndLimit(peck)}.`
    case 'revoked':
      return `This permission was revoked. ${usesAndLimit(peck)}.`
  }
}

/** The permission that an approval gave: its status, its receipt, and the button to revoke it. */
export function Permission({ peck, details, isTarget }: PeckWithDetails & { isTarget: boolean }) {
  const { grant_status: status } = peck
  if (status === null) return null
  return (
    <Section id="permission" title="Permission" lead={statusWords(status, peck)}>
      <div className="grid gap-5">
        <p className="max-w-prose text-sm text-soft">
          {details.signed
            ? 'The receipt carries the signature of a passkey over exactly this request.'
            : 'The receipt is signed by Beak. No passkey signed this approval.'}{' '}
          Anyone who has the file can{' '}
          <Link href="/receipts" className="underline">
            verify it
          </Link>
          , even offline.
        </p>
        <div className="flex flex-wrap gap-3">
          {/* A plain link: the router must not prefetch a download. */}
          <a href={withBasePath(`/api/receipt?peck_id=${peck.peck_id}`)} className={buttonClass('plain')}>
            Download receipt
          </a>
          {isTarget && status === 'active' ? <RevokeForm peck={peck} /> : null}
        </div>
      </div>
    </Section>
  )
}
