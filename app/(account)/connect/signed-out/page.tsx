import type { Metadata } from 'next'
import { ButtonLink } from '@/components/ui/button'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'

export const generateMetadata = (): Metadata => ({ title: m.consent_left(), robots: { index: false } })

/** Tells somebody who signed out of a site that Beak is another session. */
export default function SignedOutPage() {
  return (
    <>
      <PageHead title={m.consent_left()} lead={m.consent_left_body()} />
      <ButtonLink href="/security#signed-in">{m.consent_left_link()}</ButtonLink>
    </>
  )
}
