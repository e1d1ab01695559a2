import { cookies, headers } from 'next/headers'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { hasOutboxPage, isLocalBrowser, isOutboxCookie, outboxCookie } from '@/lib/http/dev-outbox'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'

/**
 * Returns whether the viewer's browser may open the development outbox. `locked`: the browser runs on this machine, but has not opened
 * the address that the server printed at its start.
 */
export async function outboxAccess(): Promise<'open' | 'locked' | 'none'> {
  if (!hasOutboxPage() || !isLocalBrowser(await headers())) return 'none'
  const cookie = (await cookies()).get(outboxCookie)?.value ?? ''
  return isOutboxCookie(cookie, readClock()) ? 'open' : 'locked'
}

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
