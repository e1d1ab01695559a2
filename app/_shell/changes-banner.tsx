import type { ReactNode } from 'react'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import { changeSentence } from '@/lib/infrastructure/mail/changes'
import { m } from '@/lib/kernel/messages'
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
  const time = () => <Time at={at} />
  const link = (children: ReactNode) => (
    <Link href="/audit" className="underline">
      {children}
    </Link>
  )
  return (
    <WarningBanner
      label={m.shell_changes_of_your_account()}
      warning={<bdi>{changeSentence(change, quoted(name))}</bdi>}
      advice={
        more === 0 ? (
          <Sentence of={m.shell_another_session_did_this} parts={{ time }} />
        ) : (
          <Sentence of={m.shell_another_session_did_more} with={{ count: more }} parts={{ time, link }} />
        )
      }
    >
      <ButtonLink href="/security">{m.shell_check_my_sessions()}</ButtonLink>
    </WarningBanner>
  )
}
