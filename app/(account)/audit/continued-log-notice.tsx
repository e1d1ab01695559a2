import type { ResponseOf } from '@/app/beak/_api/lines'
import { withBasePath } from '@/components/base-path'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'

type Continued = NonNullable<ResponseOf<'GET /beak/audit/proof'>['continues']>

/** Tells the owner that the transparency log lost entries and goes on under a new name. */
export function ContinuedLogNotice({ continued: { origin, at } }: { continued: Continued }) {
  return (
    <Notice tone="warn" title="The transparency log has a new name">
      The old log, <span className="font-mono wrap-anywhere">{origin}</span>, lost some of its newest entries.
      A new log continues it since <Time at={at} /> and names its last known checkpoint. Keep the proofs and
      exports that you saved before. Download a new export on your{' '}
      <Link href="/account" className="underline">
        account page
      </Link>{' '}
      and compare it with them:{' '}
      <a href={withBasePath('/docs/sites/check-it-yourself')} className="underline">
        how to check
      </a>
      .
    </Notice>
  )
}
