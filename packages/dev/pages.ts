/** Plain pages for the links in the answers of a test service, which has none of the pages of an ordinary one. They only read. */
import { outcomesOf } from '@/app/(site)/docs/errors/outcomes'
import { db } from '@/lib/db/client'
import type { Answer, Call } from '@/lib/http/call'
import { escaped } from '@/lib/infrastructure/mail/letter'
import { config } from '@/lib/kernel/config'
import { type ErrorCode, errorCodes } from '@/lib/kernel/request/failures'
import type { TestAccount } from './accounts'

/** The other pages that answers and mails link to. */
const otherPages =
  /^\/(?:docs|clients|connect|home|status|pecks|rules|security|verify|r|ask|device|support|signin|signup|not-me|notifications|newsletter|@[^/]+)(?:\/|$)/

/** Returns the page at the path of a call, or null when there is none. */
export async function answerPage({ method, path }: Call, accounts: TestAccount[]): Promise<Answer | null> {
  if (method !== 'GET' && method !== 'HEAD') return null
  if (/^\/docs\/errors\/?$/.test(path)) return html(200, 'Errors', errorList())
  const peckId = /^\/pecks\/([^/]+)\/?$/.exec(path)?.[1]
  // The listener must not throw: an error would end the process.
  if (peckId !== undefined)
    return peckPage(peckId, accounts).catch(() => html(503, 'Not readable now', '<p>Try again.</p>'))
  if (!otherPages.test(path)) return null
  return html(
    200,
    'Test service',
    `<p>${notHere} The documentation is at the service that this program came from.</p>`,
  )
}

const notHere =
  'This is a test service. It has the API and no pages, so nothing can be decided or changed here.'

function errorList(): string {
  const codes = Object.keys(errorCodes) as ErrorCode[]
  return codes
    .map((code) => {
      const { title, status } = errorCodes[code]
      const reasons = outcomesOf(code).map(
        ({ reason, detail, action }) =>
          `<dt id="${reason}"><code>${reason}</code></dt><dd>${escaped(`${detail} ${action}`)}</dd>`,
      )
      return `<h2 id="${code}">${code} ${escaped(title)}</h2><p>HTTP status ${status}</p><dl>${reasons.join('')}</dl>`
    })
    .join('')
}

async function peckPage(id: string, accounts: TestAccount[]): Promise<Answer> {
  const peck = await db().peck.findUnique({
    where: { id },
    select: { action: true, status: true, target: { select: { displayName: true } } },
  })
  if (peck === null) return html(404, 'No such request', `<p>${notHere}</p>`)
  const { action, status, target } = peck
  const facts = { Action: action, To: target.displayName, Status: status }
  return html(200, 'Request', requestText(id, facts, accounts))
}

/** Says what a request is, and how a test has it answered. Approving needs a passkey, as in the API. */
export function requestText(id: string, facts: Record<string, string>, accounts: TestAccount[]): string {
  const rows = accounts.map(
    ({ handle, behaviour }) => `<dt><code>@${handle}</code></dt><dd>${escaped(behaviour)}</dd>`,
  )
  const list = Object.entries(facts).map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`)
  const command = `curl -s '${config().baseUrl}/beak/peck/status?peck_id=${id}' -H "X-Beak-Key: $BEAK_KEY"`
  return (
    `<dl>${list.join('')}</dl><p>${notHere} Read the request with its key:</p><pre>${escaped(command)}</pre>` +
    `<p>Send a request to one of these accounts, which answer by themselves:</p><dl>${rows.join('')}</dl>`
  )
}

/** Returns a page without scripts and styles, which no page of another origin may read or show. */
function html(status: number, title: string, body: string): Answer {
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy':
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${body}</html>`,
  }
}
