import type { ReactNode } from 'react'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'

const linkTo = (href: string) => (children: ReactNode) => (
  <Link href={href} className="inline-block py-1 font-semibold text-ink underline">
    {children}
  </Link>
)

/** Leads people who cannot sign in to the page about what they have lost. */
export function LostAccess() {
  return (
    <p>
      <Sentence
        of={m.signin_lost_access}
        with={{}}
        parts={{
          mailbox: linkTo('/docs/people/lost-mailbox'),
          phone: linkTo('/docs/people/lost-phone'),
          passkey: linkTo('/docs/people/lost-passkey'),
        }}
      />
    </p>
  )
}
