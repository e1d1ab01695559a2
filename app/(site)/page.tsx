import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { api } from '@/app/_web/api'
import { optionalViewer } from '@/app/_web/viewer'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { readersLocale } from '@/lib/kernel/text/time-words'
import { GrowingUp } from './_landing/growing-up'
import { Story } from './_landing/story'
import { TryAPeck } from './_landing/try-a-peck'
import { WaysIn } from './_landing/ways-in'

export const generateMetadata = (): Metadata => ({
  title: { absolute: m.landing_beak_permission_asked_nicely() },
})

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
        codeNote={smtp === null ? m.landing_signup_code_in_outbox() : m.landing_signup_code_by_mail()}
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
          {m.landing_permission_asked_nicely()}
        </h1>
        <p className="mt-6 max-w-xl font-display text-xl font-semibold tracking-tight text-balance">
          {m.landing_hero_lead()}
        </p>
        <p className="mt-2 max-w-xl text-lg text-soft">{m.landing_hero_answer_line()}</p>
        <StartLinks isSignedIn={isSignedIn} />
        <p className="mt-6 max-w-xl text-sm text-soft">{m.landing_hero_audience_note()}</p>
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
          {m.landing_go_to_my_home_page()}
        </ButtonLink>
      ) : (
        <>
          {canSignUp ? (
            <ButtonLink href="/signup" kind="primary">
              {m.landing_sign_up()}
            </ButtonLink>
          ) : null}
          <ButtonLink href="/signin" kind={canSignUp ? 'quiet' : 'primary'}>
            {m.landing_sign_in()}
          </ButtonLink>
        </>
      )}
    </div>
  )
}

/** Small numbers would only say that the service is young. */
const fewestDucklings = 25

async function Numbers() {
  const counts = await api('GET /beak/metrics')
  if (!counts.ok || counts.data.registered_ducklings < fewestDucklings) return null
  const { registered_ducklings, certified, bonded_agents, completed_pecks } = counts.data
  const numbers = [
    { name: m.landing_count_people({ count: registered_ducklings }), value: registered_ducklings },
    { name: m.landing_count_certified(), value: certified },
    { name: m.landing_count_agents({ count: bonded_agents }), value: bonded_agents },
    { name: m.landing_count_answered({ count: completed_pecks }), value: completed_pecks },
  ]
  return (
    <section aria-labelledby="numbers" className="border-y border-line py-6">
      <h2 id="numbers" className="visually-hidden">
        {m.landing_beak_in_numbers()}
      </h2>
      <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-6">
        <dl className="grid grow grid-cols-2 gap-x-10 gap-y-6 sm:flex sm:flex-wrap sm:gap-x-14">
          {numbers.map(({ name, value }) => (
            <div key={name} className="flex flex-col-reverse">
              <dt className="text-sm text-soft">{name}</dt>
              <dd className="font-display text-2xl font-semibold">{value.toLocaleString(readersLocale())}</dd>
            </div>
          ))}
        </dl>
        <Link
          href="/numbers"
          className="inline-flex min-h-11 items-center text-sm font-semibold underline decoration-line hover:decoration-ink"
        >
          {m.landing_see_all_numbers()}
        </Link>
      </div>
    </section>
  )
}
