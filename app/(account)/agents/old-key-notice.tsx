import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'

/** Warns that somebody uses a key of this agent that is no longer valid. */
export function OldKeyNotice({ uses }: { uses: number }) {
  return (
    <Notice
      tone="warn"
      title={
        uses === 1 ? m.agents_old_key_this_agent_was_used() : m.agents_old_keys_this_agent_were_used({ uses })
      }
    >
      <Sentence
        of={m.agents_every_attempt_was_rejected_if_agent}
        parts={{
          link: (children) => (
            <Link href="/audit?action=key.refused" className="underline">
              {children}
            </Link>
          ),
        }}
      />
    </Notice>
  )
}
