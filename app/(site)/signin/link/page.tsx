import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { withProblemPage } from '@/app/_shell/problem-page'
import { hasPasskey } from '@/app/_web/passkeys'
import { keepSession } from '@/app/_web/session-cookie'
import { endReplacedSession, signInWithLink } from '@/app/_web/sign-in'
import { field } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { LinkForm, type LinkPageProps, showRefusal } from '../../link-form'

export const generateMetadata = (): Metadata => ({
  title: m.signin_sign_in_with_your_link(),
  robots: { index: false },
})

async function signIn(form: FormData): Promise<void> {
  'use server'
  const linkToken = field(form, 'token')
  const result = await signInWithLink(linkToken)
  if (!result.ok) return showRefusal('/signin/link', linkToken, result.problem)
  const { token, trust_tier } = result.data
  await endReplacedSession()
  await keepSession(token)
  if (trust_tier === 'T0') redirect('/welcome')
  redirect((await hasPasskey(token)) ? '/home' : '/signin/passkey?next=%2Fhome')
}

/** The host hands out links to this page (contract E, Sign-in links). Opening it changes nothing; the button signs in and uses the link. */
export default withProblemPage(async function SignInLinkPage({ searchParams }: LinkPageProps) {
  return (
    <LinkForm
      searchParams={searchParams}
      title={m.signin_sign_in_with_your_link()}
      lead={m.signin_link_page_intro()}
      button={m.signin_sign_in()}
      early={{
        title: m.signin_this_link_does_not_work_yet(),
        text: m.signin_link_early_body(),
      }}
      dead={{
        text: m.signin_link_spent(),
        next: { href: '/signin', label: m.signin_sign_in() },
      }}
      action={signIn}
    />
  )
})
