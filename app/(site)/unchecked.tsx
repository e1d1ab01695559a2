import { Verdict } from '@/components/verdict'
import { answerWith } from '@/lib/http/page-status'

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
    <Verdict kind="unsure" title={`We could not check this ${subject}.`}>
      <p>
        It may be valid or not, so don't rely on it yet. Try again in a moment:{' '}
        <span className="font-mono text-sm wrap-anywhere">{id}</span>
      </p>
    </Verdict>
  )
}
