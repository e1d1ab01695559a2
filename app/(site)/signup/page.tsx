import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { withProblemPage } from '@/app/_shell/problem-page'
import { nextPath } from '@/app/_web/local-path'
import { findViewer } from '@/app/_web/viewer'
import { PicturePage } from '@/components/picture-page'
import { Egg } from '@/components/ripples'
import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { signUp } from './actions'

export const metadata: Metadata = {
  title: 'Sign up',
  description: 'A name and an email address are enough to start. You earn trust later.',
}

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Registers a new duckling. */
export default withProblemPage(async function SignUpPage({ searchParams }: PageProps) {
  const given = await searchParams
  const next = nextPath(given.next)
  if ((await findViewer()) !== null) redirect(next)
  const referral = typeof given.ref === 'string' ? given.ref.slice(0, 64) : ''
  return (
    <PicturePage
      title="Sign up"
      lead="A name and an email address are enough to start. You earn trust later."
      picture={(size) => <Egg id="DUCK-B" size={size} />}
      followers={['DUCK-F', 'DUCK-H', 'DUCK-K']}
    >
      <ActionForm action={signUp} label="Sign up" countsOnce={false}>
        <input type="hidden" name="next" value={next} />
        <TextField
          label="Your name"
          name="full_name"
          autoComplete="name"
          dir="auto"
          hint="In any script, up to 40 characters. Everyone can see it."
        />
        <TextField
          label="Email address"
          name="email"
          type="email"
          autoComplete="email"
          hint="We send a code there. Nobody else can see it."
        />
        <TextField
          label="Referral code"
          name="referral_code"
          optional
          defaultValue={referral}
          maxLength={64}
          autoComplete="off"
          className="font-mono"
          hint={
            referral === ''
              ? undefined
              : 'Somebody invited you. They earn an egg when you confirm your email.'
          }
        />
        <SubmitButton>Sign up</SubmitButton>
      </ActionForm>
      <p className="mt-10 border-t border-line pt-5 text-sm text-soft">
        Already have a duckling?{' '}
        <Link
          href={`/signin?${new URLSearchParams({ next })}`}
          className="inline-block py-1 font-semibold text-ink underline"
        >
          Sign in
        </Link>
      </p>
    </PicturePage>
  )
})
