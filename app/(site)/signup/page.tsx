import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { withProblemPage } from '@/app/_shell/problem-page'
import { nextPath } from '@/app/_web/local-path'
import { findViewer } from '@/app/_web/viewer'
import { PicturePage } from '@/components/picture-page'
import { Egg } from '@/components/ripples'
import { Sentence } from '@/components/sentence'
import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { leadsToConsent } from '@/lib/kernel/request/oauth-paths'
import { listWithOr } from '@/lib/kernel/text/list-words'
import { signUp } from './actions'

export const generateMetadata = (): Metadata => ({
  title: m.signup_sign_up(),
  description: m.signup_page_intro(),
})

/** What a person needs, by the policy of the service. */
const leads = {
  get open() {
    return m.signup_page_intro()
  },
  get pass() {
    return m.signup_pass_intro()
  },
  get domains() {
    return m.signup_domains_intro()
  },
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
  const pass = policy.mode === 'open' ? '' : text(given.pass)
  // Only the link of a pass fills these in. With another link, somebody could let a person sign up with an address that is not hers.
  const [email, name] = pass === '' ? ['', ''] : [text(given.email), text(given.name)]
  return (
    <PicturePage
      title={m.signup_sign_up()}
      lead={leadsToConsent(next) && policy.mode === 'open' ? m.signup_program_intro() : leads[policy.mode]}
      picture={(size) => <Egg id="DUCK-B" size={size} />}
      followers={['DUCK-F', 'DUCK-H', 'DUCK-K']}
    >
      {leadsToConsent(next) ? <SignInInstead next={next} isFirst /> : null}
      <ActionForm action={signUp} label={m.signup_sign_up()} countsOnce={false}>
        <input type="hidden" name="next" value={next} />
        <TextField
          label={m.signup_your_name()}
          name="full_name"
          autoComplete="name"
          dir="auto"
          defaultValue={name}
          hint={m.signup_name_field_hint()}
        />
        <TextField
          label={m.signup_email_address()}
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={email}
          hint={
            policy.mode === 'domains'
              ? m.signup_address_domains_we_send_code_there({ domains: listWithOr(policy.domains) })
              : m.signup_email_field_hint()
          }
        />
        {policy.mode === 'open' ? null : (
          <TextField
            label={m.signup_sign_up_pass()}
            name="sign_up_pass"
            optional={policy.mode === 'domains'}
            defaultValue={pass}
            maxLength={120}
            autoComplete="off"
            className="font-mono"
            hint={m.signup_pass_field_hint()}
          />
        )}
        <SubmitButton>{m.signup_sign_up()}</SubmitButton>
      </ActionForm>
      {leadsToConsent(next) ? null : <SignInInstead next={next} />}
    </PicturePage>
  )
})

function ClosedPage({ next }: { next: string }) {
  return (
    <PicturePage
      title={m.signup_sign_up_is_closed()}
      lead={m.signup_closed_intro()}
      picture={(size) => <Egg id="DUCK-B" size={size} />}
    >
      <SignInInstead next={next} />
    </PicturePage>
  )
}

/** `isFirst`: somebody whom a site or a program sent here may well have an account, and reads it before the form. */
function SignInInstead({ next, isFirst = false }: { next: string; isFirst?: boolean }) {
  return (
    <p
      className={
        isFirst
          ? 'mb-8 rounded-control bg-accent-wash px-4 py-3'
          : 'mt-10 border-t border-line pt-5 text-sm text-soft'
      }
    >
      <Sentence
        of={m.signup_already_have_a_duckling_sign_in}
        parts={{
          link: (children) => (
            <Link
              href={`/signin?${new URLSearchParams({ next })}`}
              className="inline-block py-1 font-semibold text-ink underline"
            >
              {children}
            </Link>
          ),
        }}
      />
    </p>
  )
}
