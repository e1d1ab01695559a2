import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Beak } from '../../beak'
import { BeakConnectionError, BeakError, retryAfterOf } from '../../errors'
import type { DeviceCodes } from '../../generated/schemas'
import type { RedeemDeviceCodeOutput } from '../../generated/types'
import { command } from '../command'
import { timeText } from '../duration'
import { Exit, exitCodes } from '../exit'
import { openBrowser } from '../open-browser'
import { safe } from '../output'
import type { Session } from '../session'

/** What the person who approves sees. Control characters in a host name would be refused. */
const defaultName = () => `beak on ${hostname().replace(/[^\w.-]/g, '') || 'a computer'}`.slice(0, 64)

/** Starts the sign-in. A host name with a reserved word, such as `support-7`, is replaced by a general name. */
async function authorize(beak: Beak, name: string | undefined): Promise<DeviceCodes> {
  if (name !== undefined) return beak.authorizeDevice({ client_name: name })
  try {
    return await beak.authorizeDevice({ client_name: defaultName() })
  } catch (error) {
    if (!(error instanceof BeakError && error.code === 'E4000')) throw error
    return beak.authorizeDevice({ client_name: 'beak on a computer' })
  }
}

export const login = command({
  name: 'login',
  summary: 'Sign in, with your browser on this or another device.',
  details:
    'Shows a code and a link. Open the link, sign in there, compare the code and approve. The session lasts 24 hours and appears in your list of sessions. It cannot make changes that need a fresh sign-in.',
  options: {
    name: { type: 'string', value: 'name', summary: 'The name of this device. Default: its host name.' },
    'no-browser': { type: 'boolean', summary: 'Only print the link.' },
  },
  async run({ options, session }) {
    const { beak, ...started } = await signInByDevice(session, options['no-browser'], options.name)
    await keep(session, beak.with({ token: started.token }), started)
  },
})

/** Starts a session that the person approves in a browser, on this or another device. Stores nothing. */
export async function signInByDevice(
  session: Session,
  isWithoutBrowser: boolean,
  name?: string,
): Promise<RedeemDeviceCodeOutput & { beak: Beak }> {
  const { output } = session
  const url = await session.url()
  if (isOpen(url))
    output.note(`Warning: ${url} is not encrypted. Others on the network can read your session.`)
  const beak = await session.anonymous()
  const codes = await authorize(beak, name)
  output.note(
    `Your code: ${output.paint('bold', safe(codes.user_code))}\nApprove it at: ${safe(codes.verification_uri_complete)}`,
  )
  const mayOpen = !isWithoutBrowser && process.stderr.isTTY && !session.env.SSH_CONNECTION
  if (mayOpen && (await openBrowser(codes.verification_uri_complete, session.env)))
    output.note('Your browser opens the link.')
  output.note('Waiting for your approval. Press Ctrl+C to stop.')
  return { beak, ...(await waitForApproval(beak, codes, session.signal)) }
}

const isOpen = (url: string) =>
  url.startsWith('http://') &&
  !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)

/** Polls until the person has decided. A broken connection does not end the sign-in. */
async function waitForApproval(
  beak: Beak,
  { device_code, interval, expires_in }: DeviceCodes,
  signal: AbortSignal,
): Promise<RedeemDeviceCodeOutput> {
  const end = performance.now() + expires_in * 1000
  let seconds = interval
  while (performance.now() < end) {
    await sleep(seconds * 1000, undefined, { signal }).catch(() => signal.throwIfAborted())
    try {
      return await beak.redeemDeviceCode({ device_code }, { signal, retries: 0 })
    } catch (error) {
      if (!isWaiting(error)) throw decisionOf(error)
      seconds = retryAfterOf(error) ?? seconds
    }
  }
  throw new Exit(exitCodes.pending, 'Nobody approved this device in time.', 'Start again with: beak login')
}

function isWaiting(error: unknown): boolean {
  if (error instanceof BeakConnectionError) return true
  return error instanceof BeakError && (error.problem.current_status === 'pending' || error.status >= 500)
}

function decisionOf(error: unknown): unknown {
  if (!(error instanceof BeakError)) return error
  const { current_status } = error.problem
  if (current_status === 'denied') return new Exit(exitCodes.refused, 'You denied this device.')
  if (current_status === 'expired')
    return new Exit(exitCodes.pending, error.message, 'Start again with: beak login')
  return error
}

/** Stores the session, and ends the session that it replaces. */
async function keep(session: Session, beak: Beak, started: RedeemDeviceCodeOutput): Promise<void> {
  const { token, expires_at } = started
  const { duckling_id, display_name, full_name, trust_tier } = await beak.getProfile()
  const { services } = await session.stored()
  const replaced = services[beak.url]
  await session.store({
    current: beak.url,
    services: { ...services, [beak.url]: { token, expires_at, duckling_id, display_name } },
  })
  // It may have ended already.
  if (replaced)
    await beak
      .with({ token: replaced.token })
      .signOut()
      .catch(() => undefined)
  session.output.facts(
    { url: beak.url, duckling_id, display_name, trust_tier, expires_at },
    `Signed in as ${full_name ?? display_name}`,
    {
      service: beak.url,
      tier: trust_tier,
      until: timeText(expires_at),
    },
  )
}
