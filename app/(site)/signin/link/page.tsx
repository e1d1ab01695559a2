import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { withProblemPage } from '@/app/_shell/problem-page'
import { hasPasskey } from '@/app/_web/passkey-offer'
import { keepSession } from '@/app/_web/session-cookie'
import { endReplacedSession, signInWithLink } from '@/app/_web/sign-in'
import { field } from '@/components/ui/form-state'
import { LinkForm, type LinkPageProps, showRefusal } from '../../link-form'

export const metadata: Metadata = { title: 'Sign in with your link', robots: { index: false } }

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
      title="Sign in with your link"
      lead="The host of this service made this link for you. It works once. Sign in, then add a passkey for the next time."
      button="Sign in"
      early={{
        title: 'This link does not work yet.',
        text: 'For an account that existed before, a link works a day or two after it was made. Until then the owner can stop it. The host knows the time. Keep the link, and try again then.',
      }}
      dead={{
        text: 'Ask the host of this service for a new one, or sign in with a code or a passkey.',
        next: { href: '/signin', label: 'Sign in' },
      }}
      action={signIn}
    />
  )
})
