import type { ReactNode } from 'react'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { RevokeForm } from '../_forms/revoke-form'
import { ValuesLine } from '../_list/values-line'
import type { ShownPeck } from '../_peck/reads'
import { UsedFor } from '../_peck/used-for'
import { extentWords } from './permission-words'

interface PermissionRowProps extends ShownPeck {
  now: Date
}

/** An active permission: what it allows with its values, until when, the uses left, what it was used for, and a button to revoke it. */
export function PermissionRow({ peck, details, words, now }: PermissionRowProps) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-t border-line py-3 first:border-t-0 sm:flex-nowrap">
      <div className="min-w-0 max-w-full sm:flex-1">
        <p>
          <Link
            href={`/pecks/${peck.peck_id}`}
            className="inline-flex min-h-6 items-center font-semibold no-underline wrap-anywhere hover:underline"
          >
            {words.title}
          </Link>
        </p>
        <ValuesLine display={details.display} />
        <p className="text-sm wrap-anywhere">
          {extentWords(peck)} <End peck={peck} now={now} />
        </p>
        <UsedFor peck={peck} details={details} now={now} />
      </div>
      <RevokeForm peck={peck} />
    </li>
  )
}

function End({ peck: { grant_expires_at: at }, now }: Pick<PermissionRowProps, 'peck' | 'now'>): ReactNode {
  if (at === null) return m.permissions_until_you_revoke_it()
  return <Sentence of={m.permissions_ends} parts={{ time: () => <Time at={at} now={now} /> }} />
}
