import type { ResponseOf } from '@/app/beak/_api/lines'
import { withBasePath } from '@/components/base-path'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'

type Continued = NonNullable<ResponseOf<'GET /beak/audit/proof'>['continues']>

/** Tells the owner that the transparency log lost entries and goes on under a new name. */
export function ContinuedLogNotice({ continued: { origin, at } }: { continued: Continued }) {
  return (
    <Notice tone="warn" title={m.audit_transparency_log_has_new_name()}>
      <Sentence
        of={m.audit_old_log_origin_lost_some_its}
        with={{ origin }}
        parts={{
          span: (children) => (
            <span translate="no" className="font-mono wrap-anywhere">
              {children}
            </span>
          ),
          time: () => <Time at={at} />,
          link: (children) => (
            <Link href="/account" className="underline">
              {children}
            </Link>
          ),
          a: (children) => (
            <a href={withBasePath('/docs/sites/check-it-yourself')} className="underline">
              {children}
            </a>
          ),
        }}
      />
    </Notice>
  )
}
