import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { personMark } from '@/lib/kernel/text/person-name'
import type { InboxRow } from './row'

interface AskerNameProps {
  row: Pick<InboxRow, 'asker' | 'name' | 'operator' | 'owner'>
  /** In the head of a group the name opens the card of the asker, and a line below says what tells the person from others. */
  isHead?: boolean
}

/** Who asks, with the owner of an agent: “Scout”, an agent of Mallard (@mallard). Names of other people cannot turn the words around them. */
export function AskerName({ row, isHead = false }: AskerNameProps) {
  const { name, operator, owner } = row
  const path = isHead ? cardOf(row) : null
  return (
    <>
      {path === null ? (
        <bdi translate="no">{name}</bdi>
      ) : (
        <Link href={path} className="no-underline hover:underline">
          <bdi translate="no">{name}</bdi>
        </Link>
      )}
      {operator === null ? null : (
        <span className="font-normal text-soft">
          {operator === 'you' ? (
            m.inbox_your_agent()
          ) : (
            <Sentence
              of={m.inbox_an_agent_of_operator}
              with={{ operator }}
              parts={{ bdi: (children) => <bdi translate="no">{children}</bdi> }}
            />
          )}
        </span>
      )}
      {owner === null || isHead ? null : (
        <span className="font-normal text-soft"> ({personMark(owner.handle, owner.duckling_id)})</span>
      )}
    </>
  )
}

/** Returns the card of the asker, or the page of the viewer's own agent. */
function cardOf({ asker, owner, operator }: AskerNameProps['row']): string | null {
  if (owner !== null) return `/pecks/askers/${asker}`
  return operator === null ? null : `/agents/manage/${asker}`
}
