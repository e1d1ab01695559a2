import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/surface'

/** Warns that somebody uses a key of this agent that is no longer valid. */
export function OldKeyNotice({ uses }: { uses: number }) {
  return (
    <Notice
      tone="warn"
      title={
        uses === 1
          ? 'An old key of this agent was used once'
          : `Old keys of this agent were used ${uses} times`
      }
    >
      Every attempt was rejected. If the agent still uses its old key, give it the current one. If not,
      somebody else has the old key: the{' '}
      <Link href="/audit?action=key.refused" className="underline">
        audit log
      </Link>{' '}
      shows when and from where it was used.
    </Notice>
  )
}
