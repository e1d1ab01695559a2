import type { ResponseOf } from '@/app/beak/_api/lines'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { changeSentence } from '@/lib/infrastructure/mail/changes'
import { quoted } from '@/lib/kernel/text/quote'
import { WarningBanner } from './warning-banner'

type Change = ResponseOf<'GET /beak/profile/overview'>['recent_changes'][number]

interface ChangesBannerProps {
  /** The change that matters most. */
  first: Change
  /** How many more there are. */
  more: number
}

/** A banner on every page for an hour after another session made a sensitive change. */
export function ChangesBanner({ first: { change, name, at }, more }: ChangesBannerProps) {
  return (
    <WarningBanner
      label="Changes of your account"
      warning={<bdi>{changeSentence(change, quoted(name))}</bdi>}
      advice={
        <>
          Another session did this on <Time at={at} />.{' '}
          {more === 0 ? null : (
            <>
              <Link href="/audit" className="underline">
                {more === 1 ? '1 more change' : `${more} more changes`}
              </Link>
              {'. '}
            </>
          )}
          Wasn't this you? Sign out that session.
        </>
      }
    >
      <ButtonLink href="/security">Check my sessions</ButtonLink>
    </WarningBanner>
  )
}
