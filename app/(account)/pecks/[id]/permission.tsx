import Link from 'next/link'
import { withBasePath } from '@/app/_web/base-path'
import { buttonClass } from '@/components/ui/button'
import { Section } from '@/components/ui/surface'
import type { PeckWithDetails } from '../reads'
import { Revoke } from '../revoke'
import { usesWords } from '../words'

const states = {
  active: 'It holds.',
  consumed: 'It has been used up.',
  expired: 'Its time is over.',
  revoked: 'It was revoked and holds no longer.',
}

/** What became of the permission, its end, and its receipt. */
export function Permission({ peck, details, isTarget }: PeckWithDetails & { isTarget: boolean }) {
  const { grant_status: state } = peck
  if (state === null) return null
  return (
    <Section
      id="permission"
      title="The permission"
      lead={`${states[state]} ${usesWords(peck.uses)}${peck.max_uses === null ? '' : `, good for ${peck.max_uses === 1 ? 'one use' : `${peck.max_uses} uses`}`}.`}
    >
      <div className="grid gap-5">
        <p className="max-w-prose text-sm text-soft">
          {details.signed
            ? 'The receipt carries the signature of a passkey over exactly this request.'
            : 'The receipt is signed by Beak; no passkey confirmed this one.'}{' '}
          Anybody who has the file can{' '}
          <Link href="/receipts" className="underline">
            check it
          </Link>
          , also offline.
        </p>
        <div className="flex flex-wrap gap-3">
          {/* A download: no page for the router to fetch. */}
          <a href={withBasePath(`/api/receipt?peck_id=${peck.peck_id}`)} className={buttonClass('plain')}>
            Download the receipt
          </a>
          {isTarget && state === 'active' ? <Revoke peck={peck} /> : null}
        </div>
      </div>
    </Section>
  )
}
