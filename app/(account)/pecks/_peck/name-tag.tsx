import { personName } from '@beak/decision/person-name'
import { quotable } from '@beak/decision/quote'
import { Link } from '@/components/ui/link'
import type { Peck } from './reads'

interface NameTagProps {
  requester: Peck['requester']
  /** The page about the asker, which the name opens. Null: there is none. */
  href: string | null
}

/**
 * The name of an asker, set apart from the words of the service: in a frame, and for an agent in quotation marks that only screen readers
 * and copies of the text get. The name cannot close them.
 */
export function NameTag({ requester, href }: NameTagProps) {
  const name = <Name requester={requester} />
  if (href === null) return name
  return (
    <Link
      href={href}
      className="rounded-control no-underline hover:[&_bdi]:border-ink hover:[&_bdi]:underline"
    >
      {name}
    </Link>
  )
}

function Name({ requester }: Pick<NameTagProps, 'requester'>) {
  const { agent_name: agent } = requester
  return (
    <bdi
      translate="no"
      className="rounded-control border border-edge bg-sunken px-[0.3em] py-[0.05em] font-sans text-[0.92em] box-decoration-clone wrap-anywhere"
    >
      {agent === undefined ? (
        personName(requester)
      ) : (
        <>
          <span className="visually-hidden">“</span>
          {quotable(agent)}
          <span className="visually-hidden">”</span>
        </>
      )}
    </bdi>
  )
}
