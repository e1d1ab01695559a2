/** What the command says about a peck besides its columns. */

import { isRefusedTest } from '@beak/proofs/test-mark'
import type { Beak } from '../../beak'
import type { DisplayValue, Peck, PeckRisk } from '../../generated/schemas'
import type { RequestPeckInput } from '../../generated/types'
import { targetOf } from '../../permission'
import { command, type OptionInfo, type OptionsOf } from '../command'
import { secondsOf, timeText } from '../duration'
import { Exit, exitCodes } from '../exit'
import { pairsOf, readParams } from '../files'
import { limitOf, listOptions, readItems } from '../pages'
import type { Session } from '../session'
import { testExit } from '../trust'

/** The service answers for at most this many pecks. */
const batchSize = 100

/** Returns the value that decides most of each peck, by id. The service tells it to people only, so an agent gets none. */
async function readDecidingValues(
  session: Session,
  pecks: { peck_id: string }[],
): Promise<Map<string, string>> {
  const values = new Map<string, string>()
  const beak = await session.beak('getPeckDetails').catch((error: unknown) => {
    if (error instanceof Exit) return null
    throw error
  })
  if (beak === null) return values
  for (let start = 0; start < pecks.length; start += batchSize) {
    const peck_ids = pecks
      .slice(start, start + batchSize)
      .map(({ peck_id }) => peck_id)
      .join(',')
    for (const { peck_id, display } of (await beak.getPeckDetails({ peck_ids })).items) {
      const value = display.values.find(({ decides }) => decides)
      if (value !== undefined) values.set(peck_id, valueText(value))
    }
  }
  return values
}

const valueText = ({ text, warning }: DisplayValue) => (warning === undefined ? text : `${text} (warning)`)

/** Returns the level of a risk, its reasons and what is new. */
export function riskText({ level, reasons, novelty }: PeckRisk): string {
  return [`${level}.`, ...[...reasons, ...novelty].map(({ text }) => text)].join(' ')
}

export const peckId = { name: 'peck-id', summary: 'The id of the peck: PECK-….' } as const

const stateOf = ({ status, grant_status }: Peck) => (grant_status ? `${status}, ${grant_status}` : status)

export function show({ output }: Session, peck: Peck): void {
  output.facts(peck, peck.summary, {
    id: peck.peck_id,
    status: stateOf(peck),
    action: `${peck.action} (${peck.scope})`,
    params: Object.keys(peck.params).length > 0 ? JSON.stringify(peck.params) : '',
    message: peck.message,
    reason: peck.reason,
    audience: peck.audience,
    demands: peck.require === undefined ? '' : demandsOf(peck),
    risk: peck.risk === undefined ? '' : riskText(peck.risk),
    'answer until': peck.status === 'pending' ? timeText(peck.expires_at) : '',
    'waits again as': peck.superseded_by,
    'valid until': timeText(peck.grant_expires_at),
    'grant token': peck.grant_token,
  })
}

/** Names what an approval of the peck must have. */
function demandsOf({ challenge, code_hash }: Peck): string {
  const code = code_hash === undefined ? '' : ', and the code that the service shows'
  return `the signature of a passkey${challenge === undefined ? '' : `, with the challenge ${challenge}`}${code}`
}

/** Ends with the exit code of a decision. An approval of a test service counts only where tests are allowed. */
function endAs(peck: Peck, beak: Beak): void {
  if (peck.status === 'approved') {
    if (isRefusedTest(peck, beak, beak.url)) throw testExit()
    return
  }
  if (peck.status === 'pending') throw new Exit(exitCodes.pending, 'Nobody has decided yet.')
  throw new Exit(exitCodes.refused, `The request is ${peck.status}.`)
}

/** Options of every command that asks. */
export const askOptions = {
  scope: {
    type: 'string',
    value: 'scope',
    choices: ['limited', 'timed', 'standing'],
    summary: 'Once, for a time, or until revoked. Default: limited.',
  },
  param: {
    type: 'string',
    multiple: true,
    value: 'name=text',
    summary: 'A parameter that is approved, always as text. Repeat it. Numbers and lists: --params.',
  },
  params: {
    type: 'string',
    value: 'file',
    summary: 'All parameters as a JSON file, or - for standard input.',
  },
  message: { type: 'string', value: 'text', summary: 'Your own words to the person.' },
  type: {
    type: 'string',
    multiple: true,
    value: 'name=type',
    summary: 'How a parameter is shown, such as money, date or secret. Repeat it.',
  },
  audience: { type: 'string', value: 'host', summary: 'The service that the permission is meant for.' },
  'require-signed': {
    type: 'boolean',
    summary: 'Accept only an approval that a passkey signs, because the service demands it.',
  },
  challenge: {
    type: 'string',
    value: 'text',
    summary: 'The challenge of that service, which the passkey signs. Implies --require-signed.',
  },
  'code-hash': {
    type: 'string',
    value: 'hash',
    summary: 'The hash of a code that the service shows to the person, who types the code to approve.',
  },
  expires: { type: 'string', value: 'time', summary: 'How long to wait for an answer, such as 12h.' },
  'grant-expires': {
    type: 'string',
    value: 'time',
    summary: 'How long the permission is valid, such as 1h.',
  },
  wait: { type: 'boolean', summary: 'Wait for the decision.' },
  timeout: { type: 'string', value: 'time', summary: 'The longest wait, such as 5m.' },
} as const satisfies Record<string, OptionInfo>

export const peckAsk = command({
  name: 'peck ask',
  summary: 'Ask a duckling for permission.',
  details:
    'With --wait the command waits for the decision and prints the grant token: exit code 0 approved, 1 rejected or expired, 6 not decided yet. Ctrl-C withdraws the request. After --timeout it stays, and beak peck wait goes on.',
  args: [
    { name: 'target', summary: 'Whom to ask: DUCK-…, @handle or an invitation link.' },
    { name: 'action', summary: 'What for, as verb:object, such as send:mail.' },
  ],
  options: askOptions,
  run: ({ options, args: [target = '', action = ''], session }) =>
    sendRequest(session, { target, action, options }),
})

interface GivenRequest {
  target: string
  action: string
  options: OptionsOf<typeof askOptions>
}

/** Asks, and with `--wait` or `--timeout` waits for the decision. */
export async function sendRequest(
  session: Session,
  { target, action, options }: GivenRequest,
): Promise<void> {
  const wait = secondsOf('timeout', options.timeout)
  const beak = await session.beak('requestPeck')
  const asked = await beak.requestPeck({
    ...targetOf(target),
    action,
    scope: (options.scope ?? 'limited') as Peck['scope'],
    params: await readParams(options.params, options.param),
    message: options.message,
    param_types: typesOf(options.type),
    audience: options.audience,
    require: options['require-signed'] ? 'signed' : undefined,
    challenge: options.challenge,
    code_hash: options['code-hash'],
    expires_in: secondsOf('expires', options.expires),
    grant_expires_in: secondsOf('grant-expires', options['grant-expires']),
  })
  if (!options.wait && wait === undefined) return show(session, asked)
  if (asked.status === 'pending')
    session.output.note(`Asked. Waiting for the decision about ${asked.peck_id}.`)
  const peck = asked.status === 'pending' ? await waitOrWithdraw(session, beak, asked.peck_id, wait) : asked
  show(session, peck)
  endAs(peck, beak)
}

/** Waits, and withdraws the request when the command is interrupted. After `--timeout` it stays: `beak peck wait` goes on. */
async function waitOrWithdraw(
  { signal, output }: Session,
  beak: Beak,
  peck_id: string,
  wait: number | undefined,
): Promise<Peck> {
  try {
    return await beak.waitForDecision(peck_id, { signal, wait })
  } catch (error) {
    if (!signal.aborted) throw error
    const withdrawn = await beak.cancelPeck({ peck_id }, { timeout: 2_000, retries: 0 }).catch(() => null)
    output.note(withdrawn === null ? `${peck_id} may still be waiting.` : `Withdrawn: ${peck_id}.`)
    throw error
  }
}

/** The service checks the types. */
function typesOf(given: string[]): RequestPeckInput['param_types'] {
  return given.length === 0 ? undefined : (pairsOf('type', 'type', given) as RequestPeckInput['param_types'])
}

export const peckWait = command({
  name: 'peck wait',
  summary: 'Wait for the decision about a peck that you sent.',
  details: 'Exit code 0 approved, 1 rejected or expired, 6 not decided yet.',
  args: [peckId],
  options: {
    timeout: {
      type: 'string',
      value: 'time',
      summary: 'The longest wait, such as 5m. Default: until it expires.',
    },
  },
  async run({ options, args: [id = ''], session }) {
    const beak = await session.beak('getPeck')
    const peck = await beak.waitForDecision(id, {
      signal: session.signal,
      wait: secondsOf('timeout', options.timeout),
    })
    show(session, peck)
    endAs(peck, beak)
  },
})

export const peckShow = command({
  name: 'peck show',
  summary: 'Show a peck.',
  args: [peckId],
  async run({ args: [peck_id = ''], session }) {
    const beak = await session.beak('getPeck')
    show(session, await beak.getPeck({ peck_id }))
  },
})

export const peckList = command({
  name: 'peck list',
  summary: 'List pecks, newest first.',
  details:
    'Shows the risk of pecks that you received, and the value that decides most, marked when the service warns of it.',
  options: {
    status: {
      type: 'string',
      value: 'status',
      choices: ['pending', 'approved', 'rejected', 'expired', 'cancelled'],
      summary: 'Only these.',
    },
    direction: { type: 'string', value: 'direction', choices: ['sent', 'received'], summary: 'Only these.' },
    asker: { type: 'string', value: 'id', summary: 'Only what this agent or person asked: AGT-… or DUCK-….' },
    action: { type: 'string', value: 'action', summary: 'Only this action, such as send:mail.' },
    ...listOptions,
  },
  async run({ options, session }) {
    const beak = await session.beak('listPecks')
    const filters = {
      status: options.status as Peck['status'] | undefined,
      direction: options.direction as 'sent' | 'received' | undefined,
      asker: options.asker,
      action: options.action,
    }
    const pecks = await readItems<Peck>(limitOf(options.limit), options.cursor, (query) =>
      beak.listPecks({ ...query, ...filters }),
    )
    const values = session.output.isJson ? new Map() : await readDecidingValues(session, pecks.items)
    session.output.list(
      pecks,
      {
        id: ({ peck_id }) => peck_id,
        status: stateOf,
        risk: ({ risk }) => risk?.level ?? '',
        action: ({ action }) => action,
        value: ({ peck_id }) => values.get(peck_id) ?? '',
        from: ({ requester }) => askerText(requester),
        to: ({ target_full_name, target_display_name }) => target_full_name ?? target_display_name,
        asked: ({ created_at }) => timeText(created_at),
      },
      'No pecks.',
    )
  },
})

/** Names an asker with the owner, and with the handle or the end of the id: names are not unique. */
function askerText({ agent_name, full_name, display_name, handle, duckling_id }: Peck['requester']): string {
  const person = `${full_name ?? display_name} (${handle === undefined ? `…${duckling_id.slice(-4)}` : `@${handle}`})`
  return agent_name === undefined ? person : `${agent_name} of ${person}`
}
