import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { withProblemPage } from '@/app/_shell/problem-page'
import { nextPath } from '@/app/_web/local-path'
import { findViewer } from '@/app/_web/viewer'
import { PicturePage } from '@/components/picture-page'
import { Egg } from '@/components/ripples'
import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { config } from '@/lib/kernel/config'
import { listWithOr } from '@/lib/kernel/text/list-words'
import { signUp } from './actions'

export const metadata: Metadata = {
  title: 'Sign up',
  description: 'A name and an email address are enough to start. You earn trust later.',
}

/** What a person needs, by the policy of the service. */
const leads = {
  open: 'A name and an email address are enough to start. You earn trust later.',
  pass: 'You need a sign-up pass from whoever runs this service.',
  domains:
    'You need an email address of this organisation, or a sign-up pass from whoever runs this service.',
}

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Registers a new duckling. */
export default withProblemPage(async function SignUpPage({ searchParams }: PageProps) {
  const given = await searchParams
  const next = nextPath(given.next)
  if ((await findViewer()) !== null) redirect(next)
  const { signUp: policy } = config()
  if (policy.mode === 'closed') return <ClosedPage next={next} />
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 254) : '')
  const [referral, pass] = [text(given.ref), policy.mode === 'open' ? '' : text(given.pass)]
  // Only the link of a pass fills these in. With another link, somebody could let a person sign up with an address that is not hers.
  const [email, name] = pass === '' ? ['', ''] : [text(given.email), text(given.name)]
  return (
    <PicturePage
      title="Sign up"
      lead={leads[policy.mode]}
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
          defaultValue={name}
          hint="In any script, up to 40 characters. Everyone can see it."
        />
        <TextField
          label="Email address"
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={email}
          hint={
            policy.mode === 'domains'
              ? `An address of ${listWithOr(policy.domains)}. We send a code there.`
              : 'We send a code there. Nobody else can see it.'
          }
        />
        {policy.mode === 'open' ? null : (
          <TextField
            label="Sign-up pass"
            name="sign_up_pass"
            optional={policy.mode === 'domains'}
            defaultValue={pass}
            maxLength={120}
            autoComplete="off"
            className="font-mono"
            hint="From whoever runs this service. It works once, with the email address that it is for."
          />
        )}
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
      <SignInInstead next={next} />
    </PicturePage>
  )
})

function ClosedPage({ next }: { next: string }) {
  return (
    <PicturePage
      title="Sign-up is closed"
      lead="Nobody can sign up here. Ask whoever runs this service for an account."
      picture={(size) => <Egg id="DUCK-B" size={size} />}
    >
      <SignInInstead next={next} />
    </PicturePage>
  )
}

function SignInInstead({ next }: { next: string }) {
  return (
    <p className="mt-10 border-t border-line pt-5 text-sm text-soft">
      Already have a duckling?{' '}
      <Link
        href={`/signin?${new URLSearchParams({ next })}`}
        className="inline-block py-1 font-semibold text-ink underline"
      >
        Sign in
      </Link>
    </p>
  )
}
