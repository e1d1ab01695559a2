import { Link } from '@/components/ui/link'
import { outboxAccess } from './outbox-access'

/** Tells where to find the code on a development server, which sends no email. Renders nothing for browsers on other machines. */
export async function OutboxHint() {
  const access = await outboxAccess()
  if (access === 'none') return null
  return (
    <p className="rounded-card border border-dashed border-edge px-4 py-3 text-sm text-soft">
      This is a development server. It doesn't send emails or texts.{' '}
      {access === 'open' ? (
        <>
          <Link href="/dev/outbox" className="text-ink underline">
            Open the outbox to read the code
          </Link>
          .
        </>
      ) : (
        'To read the code, open the outbox address that the server printed at its start. Messages are also saved as files in the outbox folder of its data folder.'
      )}
    </p>
  )
}
