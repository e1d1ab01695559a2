import Link from 'next/link'
import { outboxAccess } from '@/app/_web/dev-outbox'

/** The way to the code on a development server, where no mail is sent. Shows nothing to browsers elsewhere. */
export async function OutboxHint() {
  const access = await outboxAccess()
  if (access === 'none') return null
  return (
    <p className="rounded-card border border-dashed border-edge px-4 py-3 text-sm text-soft">
      This is a development server: nothing is sent.{' '}
      {access === 'open' ? (
        <>
          <Link href="/dev/outbox" className="text-ink underline">
            Read the code in the outbox
          </Link>
          .
        </>
      ) : (
        'To read the code here, open the address that the server printed last. Messages are also kept as files in the outbox folder of its data folder.'
      )}
    </p>
  )
}
