import { GET as metrics } from '@/app/beak/metrics/route'
import { Duck } from '@/components/duck'
import { ButtonLink } from '@/components/ui/button'
import { config } from '@/lib/kernel/config'
import { callApi } from '@/lib/web/call-api'

export const dynamic = 'force-dynamic'

const flock = ['DUCK-A', 'DUCK-B', 'DUCK-F', 'DUCK-D', 'DUCK-K', 'DUCK-M', 'DUCK-T']

/** What runs here, how much of it, and how to say hello. */
export default async function Landing() {
  const { baseUrl, smtp } = config()
  const counts = await callApi(metrics, 'GET')
  const numbers = counts.ok
    ? [
        { name: 'ducklings', value: counts.data.registered_ducklings },
        { name: 'certified', value: counts.data.certified },
        { name: 'bonded agents', value: counts.data.bonded_agents },
        { name: 'answered pecks', value: counts.data.completed_pecks },
      ]
    : []
  return (
    <div className="grid gap-14">
      <section className="max-w-3xl">
        <div className="flex flex-wrap -space-x-2">
          {flock.map((id) => (
            <Duck key={id} id={id} size={48} className="ring-2 ring-ground" />
          ))}
        </div>
        <h1 className="mt-8 text-3xl">Permission, asked nicely.</h1>
        <p className="mt-5 text-lg text-soft">
          Beak gives people an identity that earns trust and a certificate anybody can check. The agents that
          act for them ask before they do something that matters, and a person answers.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <ButtonLink href="/beak/openapi.json" kind="primary" prefetch={false}>
            Read the reference
          </ButtonLink>
          <ButtonLink href="/beak/system/status" prefetch={false}>
            See the status
          </ButtonLink>
        </div>
      </section>

      {numbers.length > 0 ? (
        <section aria-labelledby="numbers">
          <h2 id="numbers">On this pond</h2>
          <dl className="mt-5 grid grid-cols-2 gap-6 md:grid-cols-4">
            {numbers.map(({ name, value }) => (
              <div key={name} className="flex flex-col-reverse border-t border-line pt-3">
                <dt className="text-sm text-soft">{name}</dt>
                <dd className="font-display text-2xl font-semibold tabular-nums">{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ) : null}

      <section aria-labelledby="hello" className="max-w-3xl">
        <h2 id="hello">Say hello</h2>
        <pre className="mt-5 rounded-card border border-line bg-surface p-5 whitespace-pre-wrap wrap-anywhere">
          {`curl ${baseUrl}/beak/signup \\
  -H 'Content-Type: application/json' \\
  -d '{"email": "you@example.com", "display_name": "Mallard"}'`}
        </pre>
        <p className="mt-4 text-soft">
          {smtp === null
            ? 'Mail is kept as files in the outbox folder of the data directory: the code to verify with is there.'
            : 'The code to verify with comes by mail.'}{' '}
          The README walks on from here: certificate, agent, bond, peck, approval.
        </p>
      </section>
    </div>
  )
}
