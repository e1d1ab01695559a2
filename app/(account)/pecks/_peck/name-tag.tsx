import { quotable } from '@/lib/kernel/text/quote'
import type { Peck } from './reads'

/**
 * The name of an asker, set apart from the words of the service: in a frame, and for an agent in quotation marks that only screen readers
 * and copies of the text get. The name cannot close them.
 */
export function NameTag({ requester }: { requester: Peck['requester'] }) {
  const { agent_name: agent, display_name: person } = requester
  return (
    <bdi className="rounded-control border border-edge bg-sunken px-[0.3em] py-[0.05em] font-sans text-[0.92em] box-decoration-clone wrap-anywhere">
      {agent === undefined ? (
        person
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
