import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'

/** Shown while the viewer has no agents: grey ducks as placeholders, and a link to register an agent. */
export function NoAgents({ hasLink }: { hasLink: boolean }) {
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-4 rounded-card border border-dashed border-edge px-5 py-5">
      <div aria-hidden="true" className="flex items-end -space-x-2">
        {['one', 'four', 'eight'].map((id, index) => (
          <span key={id} className="rounded-full border border-dashed border-edge bg-ground p-0.5">
            <Duck id={id} size={36 + index * 6} className="opacity-25 grayscale" />
          </span>
        ))}
      </div>
      <p className="min-w-0 flex-1 basis-56 text-sm text-soft">
        <Sentence
          of={m.home_no_agents_yet_agent_is_program}
          parts={{ strong: (children) => <strong className="text-ink">{children}</strong> }}
        />{' '}
        {hasLink ? (
          <Link href="/agents/new" className="inline-block py-0.5 font-semibold text-ink underline">
            {m.home_register_an_agent()}
          </Link>
        ) : null}
      </p>
    </div>
  )
}
