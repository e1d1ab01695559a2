import { Sentence } from '@/components/sentence'
import { Verdict } from '@/components/verdict'
import { answerWith } from '@/lib/http/page-errors'
import { m } from '@/lib/kernel/messages'

interface UncheckedProps {
  /** What was checked. */
  subject: 'agent' | 'certificate'
  id: string
  isLimited: boolean
  retryAfter: number | null
}

/** Replaces a verdict when the record cannot be read. The answer gets status 429 or 503. */
export function Unchecked({ subject, id, isLimited, retryAfter }: UncheckedProps) {
  answerWith(isLimited ? 429 : 503, retryAfter ?? undefined)
  return (
    <Verdict kind="unsure" title={subject === 'agent' ? m.unchecked_agent() : m.unchecked_certificate()}>
      <p>
        <Sentence
          of={m.unchecked_check_again_body}
          with={{ id }}
          parts={{
            span: (children) => (
              <span translate="no" className="font-mono text-sm wrap-anywhere">
                {children}
              </span>
            ),
          }}
        />
      </p>
    </Verdict>
  )
}
