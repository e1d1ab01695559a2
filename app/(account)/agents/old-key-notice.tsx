import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import type { KeyLifetime } from './key-lifetime'

/** Warns that somebody uses a key of this agent that is no longer valid. */
export function OldKeyNotice({ uses }: { uses: number }) {
  return (
    <Notice
      tone="warn"
      title={uses === 1 ? m.agents_old_key_used_title() : m.agents_old_keys_used_title({ uses })}
    >
      <Sentence
        of={m.agents_old_key_notice_body}
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

const fills = { good: 'fill-good', warn: 'fill-warn', bad: 'fill-bad' }
const textColors = { good: 'text-soft', warn: 'font-semibold text-warn', bad: 'font-semibold text-bad' }

/** Shows how much of a key's lifetime is left, as a bar and as text. */
export function KeyLifetimeBar({ lifetime: { left, tone, text } }: { lifetime: KeyLifetime }) {
  return (
    <div className="grid gap-1.5">
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" className="block h-1.5 w-full">
        <rect width="100" height="4" rx="2" className="fill-line" />
        <rect width={Math.max(left * 100, 2)} height="4" rx="2" className={fills[tone]} />
      </svg>
      <p className={`text-sm tabular-nums ${textColors[tone]}`}>{text}</p>
    </div>
  )
}
