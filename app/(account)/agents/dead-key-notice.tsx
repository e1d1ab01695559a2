import Link from 'next/link'
import { Notice } from '@/components/ui/surface'

/** Somebody uses a key of this agent that is dead. */
export function DeadKeyNotice({ uses }: { uses: number }) {
  if (uses === 0) return null
  return (
    <Notice
      tone="warn"
      title={uses === 1 ? 'A dead key of it was used once' : `Dead keys of it were used ${uses} times`}
    >
      It opened nothing. Either the agent still runs with its old key: give it the present one. Or somebody
      else has the old one: the{' '}
      <Link href="/audit?action=key.refused" className="underline">
        audit log
      </Link>{' '}
      says when and from where.
    </Notice>
  )
}
