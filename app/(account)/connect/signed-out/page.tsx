import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { ButtonLink } from '@/components/ui/button'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { askedToSignOut } from '@/lib/kernel/request/oauth-paths'

export const generateMetadata = (): Metadata => ({ title: m.consent_left(), robots: { index: false } })

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Tells somebody who signed out of a site that Beak is another session. Asks instead when the site did not say whom it means. */
export default withProblemPage(async function SignedOutPage({ searchParams }: PageProps) {
  const isAsked = askedToSignOut in (await searchParams)
  return (
    <>
      <PageHead
        title={isAsked ? m.consent_leave() : m.consent_left()}
        lead={isAsked ? m.consent_leave_body() : m.consent_left_body()}
      />
      <ButtonLink href="/security#signed-in">{m.consent_left_link()}</ButtonLink>
    </>
  )
})
