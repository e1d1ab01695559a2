/** `trigger`: makes a test service send the example of a webhook message. */
import { BeakError } from '../../errors'
import type { Problem } from '../../generated/schemas'
import { command } from '../command'
import { Exit, exitCodes, usageFault } from '../exit'
import type { Session } from '../session'

export const trigger = command({
  name: 'trigger',
  summary: 'Send the example of an event to your webhooks, in a service for tests.',
  details:
    'Every webhook that subscribes to the event gets it, signed like any other message. Only a service that "beak dev" started can do this.',
  args: [{ name: 'event', summary: 'Such as peck.approved.', optional: true }],
  options: { list: { type: 'boolean', summary: 'List the events.' } },
  async run({ options, args: [event], session }) {
    if (options.list) {
      const { items } = (await callTest(session)) as { items: string[] }
      return session.output.result(items, () => items.join('\n'))
    }
    if (event === undefined) throw usageFault('Which event?', 'See them with: beak trigger --list')
    const sent = (await callTest(session, { event })) as { webhooks: number }
    if (sent.webhooks === 0)
      throw new Exit(
        exitCodes.refused,
        `No webhook subscribes to ${event}.`,
        'Create one with: beak webhook listen',
      )
    session.output.result(sent, () => `Sent ${event} to ${sent.webhooks} of your webhooks.`)
  },
})

/** Calls the endpoint that only test services have, so the client has no method for it. */
async function callTest(session: Session, body?: object): Promise<unknown> {
  const url = await session.url()
  const response = await fetch(`${url}/beak/test/trigger`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: session.signal,
  }).catch(() => {
    throw new Exit(
      exitCodes.unreachable,
      `${url} cannot be reached.`,
      'Start a service for tests with: beak dev',
    )
  })
  const answer: unknown = await response.json().catch(() => ({}))
  if (response.ok) return answer
  if (response.status === 404)
    throw new Exit(exitCodes.refused, `${url} is no service for tests.`, 'Start one with: beak dev')
  throw new BeakError(answer as Problem)
}
