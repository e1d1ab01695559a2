import { Duck } from '@/components/duck'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'

const parts = [
  { title: m.allowed_agents, text: m.allowed_agents_appear },
  { title: m.allowed_rules, text: m.allowed_rules_appear },
  { title: m.allowed_permissions, text: m.allowed_permissions_appear },
]

/** Shown while nothing may happen without asking: what will be here, and the way to the first agent. */
export function NothingAllowed({
  viewerId,
  hasDeregistered,
}: {
  viewerId: string
  hasDeregistered: boolean
}) {
  return (
    <div className="border-y border-line py-10">
      <div aria-hidden="true" className="flex items-end">
        {['one', 'four', 'eight'].map((id, index) => (
          <span key={id} className="me-2 rounded-full border border-dashed border-edge p-0.5">
            <Duck id={id} size={40 + index * 8} className="opacity-25 grayscale" />
          </span>
        ))}
        <Duck id={viewerId} size={96} />
      </div>
      <h2 className="mt-6">{m.allowed_nothing()}</h2>
      <dl className="mt-5 grid gap-x-8 gap-y-6 sm:grid-cols-3">
        {parts.map(({ title, text }) => (
          <div key={title()}>
            <dt className="font-semibold">{title()}</dt>
            <dd className="mt-1 text-sm text-soft">{text()}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-8 flex flex-wrap items-center gap-x-5 gap-y-3">
        <ButtonLink kind="primary" href="/agents/new">
          {m.agents_connect_first_agent()}
        </ButtonLink>
        {hasDeregistered ? (
          <Link
            href="/allowed?include=deregistered#agents"
            className="inline-flex min-h-11 items-center text-sm underline"
          >
            {m.agents_show_deregistered()}
          </Link>
        ) : null}
      </p>
    </div>
  )
}
