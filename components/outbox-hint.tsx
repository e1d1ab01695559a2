import Link from 'next/link'
import { mayReadOutbox } from '@/lib/web/dev-outbox'

/** On a development server, where no mail leaves: the way to the code. */
export async function OutboxHint() {
  if (!(await mayReadOutbox())) return null
  return (
    <p className="rounded-card border border-dashed border-edge px-4 py-3 text-sm text-soft">
      This is a development server: nothing is sent.{' '}
      <Link href="/dev/outbox" className="text-ink underline">
        Read the code in the outbox
      </Link>
      .
    </p>
  )
}
