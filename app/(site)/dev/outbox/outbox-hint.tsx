import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { outboxAccess } from './outbox-access'

/** Tells where to find the code on a development server, which sends no email. Renders nothing for browsers on other machines. */
export async function OutboxHint() {
  const access = await outboxAccess()
  if (access === 'none') return null
  return (
    <p className="rounded-card border border-dashed border-edge px-4 py-3 text-sm text-soft">
      {access === 'open' ? (
        <Sentence
          of={m.dev_sends_nothing_open_outbox}
          parts={{
            link: (children) => (
              <Link href="/dev/outbox" className="text-ink underline">
                {children}
              </Link>
            ),
          }}
        />
      ) : (
        m.dev_sends_nothing_printed_address()
      )}
    </p>
  )
}
