import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { api } from '@/app/_web/api'
import { optionalViewer } from '@/app/_web/viewer'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { readClock } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { GrowingUp } from './_landing/growing-up'
import { Story } from './_landing/story'
import { TryAPeck } from './_landing/try-a-peck'
import { WaysIn } from './_landing/ways-in'

export const metadata: Metadata = { title: { absolute: 'Beak: permission, asked nicely' } }

/** Shows what Beak is, with a request to try, and leads to the sign-up. */
export default withProblemPage(async function Landing() {
  const { baseUrl, smtp } = config()
  const isSignedIn = (await optionalViewer()) !== null
  return (
    <div className="grid gap-24 sm:gap-32">
      <div className="grid gap-14 sm:gap-20">
        <Hero isSignedIn={isSignedIn} />
        <Numbers />
      </div>
      <Story />
      <GrowingUp baseUrl={baseUrl} issuedAt={readClock().toISOString()} />
      <WaysIn
        baseUrl={baseUrl}
        isSignedIn={isSignedIn}
        codeNote={
          smtp === null
            ? 'You find the code that confirms your email in the outbox folder of the data directory.'
            : 'We send the code that confirms your email.'
        }
      />
    </div>
  )
})

function Hero({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <section
      aria-labelledby="beak"
      className="grid items-start gap-x-16 gap-y-6 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)]"
    >
      {/* Not centred: the text would move while a slow browser still receives the drawing. */}
      <div className="lg:pt-27">
        <h1 id="beak" className="text-3xl">
          Permission, asked nicely.
        </h1>
        <p className="mt-6 max-w-xl text-lg text-soft">
          Beak gives people an identity that earns trust. Their agents ask before they do something that
          matters. A person answers, and anyone can check what was agreed.
        </p>
        <StartLinks isSignedIn={isSignedIn} />
      </div>
      <TryAPeck />
    </section>
  )
}

function StartLinks({ isSignedIn }: { isSignedIn: boolean }) {
  const canSignUp = config().signUp.mode !== 'closed'
  return (
    <div className="mt-8 flex flex-wrap items-center gap-3">
      {isSignedIn ? (
        <ButtonLink href="/home" kind="primary">
          Go to my home page
        </ButtonLink>
      ) : (
        <>
          {canSignUp ? (
            <ButtonLink href="/signup" kind="primary">
              Sign up
            </ButtonLink>
          ) : null}
          <ButtonLink href="/signin" kind={canSignUp ? 'quiet' : 'primary'}>
            Sign in
          </ButtonLink>
        </>
      )}
    </div>
  )
}

async function Numbers() {
  const counts = await api('GET /beak/metrics')
  if (!counts.ok) return null
  const { registered_ducklings, certified, bonded_agents, completed_pecks } = counts.data
  const numbers = [
    { name: registered_ducklings === 1 ? 'duckling' : 'ducklings', value: registered_ducklings },
    { name: 'with a certificate', value: certified },
    { name: bonded_agents === 1 ? 'bonded agent' : 'bonded agents', value: bonded_agents },
    { name: completed_pecks === 1 ? 'request answered' : 'requests answered', value: completed_pecks },
  ]
  if (registered_ducklings === 0)
    return (
      <p className="border-y border-line py-6 text-lg">
        Nobody has signed up yet.{config().signUp.mode === 'closed' ? '' : ' Be the first duckling.'}
      </p>
    )
  return (
    <section aria-labelledby="numbers" className="border-y border-line py-6">
      <h2 id="numbers" className="visually-hidden">
        Beak in numbers
      </h2>
      <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-6">
        <dl className="grid grow grid-cols-2 gap-x-10 gap-y-6 sm:flex sm:flex-wrap sm:gap-x-14">
          {numbers.map(({ name, value }) => (
            <div key={name} className="flex flex-col-reverse">
              <dt className="text-sm text-soft">{name}</dt>
              <dd className="font-display text-2xl font-semibold">{value.toLocaleString('en-GB')}</dd>
            </div>
          ))}
        </dl>
        <Link
          href="/numbers"
          className="inline-flex min-h-11 items-center text-sm font-semibold underline decoration-line hover:decoration-ink"
        >
          See all numbers
        </Link>
      </div>
    </section>
  )
}
