import type { Metadata } from 'next'
import { api } from '@/app/_web/api'
import { withBasePath } from '@/app/_web/base-path'
import { explain } from '@/app/_web/form'
import { withProblemPage } from '@/components/problem-page'
import { ButtonLink } from '@/components/ui/button'
import { Pill, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { answerWith } from '@/lib/http/page-status'
import { Pulse } from './pulse'
import { Scene } from './scene'
import { latencyWords, overall, parts, words } from './words'

export const metadata: Metadata = {
  title: 'Status',
  description: 'Whether Beak works, part by part, as it is right now.',
}

type Status = Extract<Awaited<ReturnType<typeof readStatus>>, { ok: true }>['data']

const readStatus = () => api('GET /beak/system/status')

/** Answers whatever is down: it needs no database, and says so when there is none. */
export default withProblemPage(async function StatusPage() {
  const result = await readStatus()
  if (!result.ok) {
    answerWith(result.problem.status, result.problem.retry_after)
    return (
      <div className="max-w-2xl">
        <h1>Not looked at just now.</h1>
        <p className="mt-3 mb-6 text-lg text-soft">{explain(result.problem)}</p>
        <ButtonLink href="/status">Look again</ButtonLink>
      </div>
    )
  }
  const status = result.data
  const { title, text } = overall[status.status]
  return (
    <>
      <div className="mb-14 grid items-end gap-x-16 gap-y-6 md:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
        <div role="status">
          <h1 className="text-3xl">{title}</h1>
          <p className="mt-4 max-w-xl text-lg text-soft">{text}</p>
        </div>
        <Scene condition={status.status} />
      </div>
      <Figures status={status} />
      <Section id="parts" title="Part by part">
        <Parts components={status.components} />
      </Section>
      <p className="text-sm text-soft">
        The same for machines:{' '}
        <a href={withBasePath('/beak/system/status')} className="font-mono underline">
          GET /beak/system/status
        </a>
      </p>
    </>
  )
})

function Figures({ status }: { status: Status }) {
  const figures = [
    {
      name: 'Answers of the API take',
      value: latencyWords(status.api_latency_ms),
      note: 'the median of the latest',
    },
    {
      name: 'Agents alive',
      value: status.agents_alive.toLocaleString('en-GB'),
      note: 'seen in the last five minutes',
    },
    { name: 'Version', value: status.function_version, note: 'of the service' },
  ]
  return (
    <section aria-labelledby="figures" className="mb-14 border-y border-line py-6">
      <h2 id="figures" className="visually-hidden">
        Figures
      </h2>
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2 lg:grid-cols-4">
        {figures.map(({ name, value, note }) => (
          <dl key={name}>
            <dt className="text-sm text-soft">{name}</dt>
            <dd className="mt-1">
              <span className="font-display text-2xl font-semibold">{value}</span>
              <span className="block text-sm text-soft">{note}</span>
            </dd>
          </dl>
        ))}
        <Pulse />
      </div>
      <p className="mt-6 text-sm text-soft">
        Looked at <Time at={status.checked_at} />.
      </p>
    </section>
  )
}

function Parts({ components }: { components: Status['components'] }) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {components.map(({ name, status }) => (
        <li key={name} className="flex items-center justify-between gap-6 py-4">
          <div>
            <h3 className="text-base">{parts[name].title}</h3>
            <p className="text-sm text-soft">
              {status === 'operational' ? parts[name].role : parts[name].trouble}
            </p>
          </div>
          <Pill tone={words[status].tone}>{words[status].label}</Pill>
        </li>
      ))}
    </ul>
  )
}
