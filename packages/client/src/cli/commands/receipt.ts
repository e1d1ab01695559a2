/** Checks receipts. Fails closed: what cannot be checked is not valid. */
import type { OutcomeVerdict, ReceiptPolicy } from '@beak/proofs/receipts/check-policy'
import type { Pin } from '@beak/proofs/receipts/endorsement'
import type { Outcome } from '@beak/proofs/receipts/outcome'
import type { AnyFacts, Requirement } from '@beak/proofs/receipts/policy'
import { command } from '../command'
import { numberOf, secondsOf } from '../duration'
import { usageFault } from '../exit'
import { readJson, readParams } from '../files'
import type { Session } from '../session'
import {
  jwks,
  type LogKeyOptions,
  offline,
  policy,
  readLogPolicy,
  readRemembered,
  refuse,
  rememberOption,
  type Trust,
  trustOf,
  vkey,
} from '../trust'

interface Options extends LogKeyOptions {
  require: string | undefined
  'expect-outcome': string[]
  'expect-action': string | undefined
  param: string[]
  params: string | undefined
  audience: string | undefined
  target: string | undefined
  pin: string[]
  'accept-rules': boolean
  challenge: string | undefined
  approver: string | undefined
  logged: boolean
  against: string[]
  'signed-within': string | undefined
  'decided-within': string | undefined
}

export const receiptVerify = command({
  name: 'receipt verify',
  summary: 'Check the receipt of an approval or of another outcome.',
  details:
    'Checks every signature, and compares the receipt with what you require and expect. Exit code 0 only with --require, and when the receipt is as required and expected. Without --require, it prints what it found and ends with 4. --require service: the service signed, so it can have made up the receipt. signed: a passkey signed too, and only the service says whose passkey that is. proven: witnesses cosigned in time that the log has that passkey; the service can still have put its own passkey into the log before. pinned: a passkey that you kept (--pin) signed, or vouches for the one that signed. A request that a rule answered reaches only service, unless you accept rules (--accept-rules).',
  args: [
    {
      name: 'file',
      summary: 'The receipt as JSON (GET /beak/peck/outcome or /beak/peck/receipt), or - for standard input.',
    },
  ],
  options: {
    jwks,
    offline,
    require: {
      type: 'string',
      value: 'level',
      choices: ['service', 'signed', 'proven', 'pinned'],
      summary: 'Who must have confirmed the receipt: service, signed, proven or pinned.',
    },
    pin: {
      type: 'string',
      multiple: true,
      value: 'credential_id:public_key',
      summary: 'With --require pinned or --approver: a passkey of the person that you have kept. Repeat it.',
    },
    'accept-rules': {
      type: 'boolean',
      summary:
        'Accept requests that a rule answered as if the passkey that signed the rule had signed them. How much of the budget was spent is the word of the service. The decision may be an hour old, unless you give --decided-within.',
    },
    'expect-outcome': {
      type: 'string',
      multiple: true,
      value: 'outcome',
      summary:
        'An accepted outcome: approved, consumed, revoked, rejected, expired or cancelled. Repeat it. Default: approved and consumed.',
    },
    'expect-action': {
      type: 'string',
      value: 'action',
      summary: 'The action that must have been asked for.',
    },
    param: {
      type: 'string',
      multiple: true,
      value: 'name=text',
      summary:
        'A parameter of the receipt. Repeat it for all of them: one that is missing here is a difference.',
    },
    params: {
      type: 'string',
      value: 'file',
      summary: 'All parameters as a JSON file, for values that are no texts.',
    },
    audience: {
      type: 'string',
      value: 'host',
      summary: 'The service that the permission must be meant for.',
    },
    target: { type: 'string', value: 'DUCK-…', summary: 'The account that must have been asked.' },
    challenge: {
      type: 'string',
      value: 'text',
      summary: 'The challenge that you gave for this request. Accept each one only once.',
    },
    approver: {
      type: 'string',
      value: 'origin',
      summary:
        'The approver on which a passkey that you kept (--pin) must have signed, such as https://approve.example. Without a pin, the service can claim this origin for a passkey of its own.',
    },
    logged: {
      type: 'boolean',
      summary:
        'The log must have the decision, and the use and the revocation that the receipt names, at their stated times. With --vkey and --witness, and not before a minute is over.',
    },
    against: {
      type: 'string',
      multiple: true,
      value: 'file',
      summary: 'Another receipt of the same request that you kept: the two must not contradict each other.',
    },
    'signed-within': {
      type: 'string',
      value: 'time',
      summary: 'How old the signature of the service may be, such as 10m.',
    },
    'decided-within': {
      type: 'string',
      value: 'time',
      summary: 'How old the decision may be, such as 1h. Only the service says when it was.',
    },
    vkey,
    witness: {
      type: 'string',
      multiple: true,
      value: 'key',
      summary:
        'With --vkey: a key of a witness that the service does not run, which must have cosigned the log in time. Repeat it.',
    },
    quorum: {
      type: 'string',
      value: 'number',
      summary: 'How many of the witnesses must have cosigned. Default: all of them.',
    },
    policy,
    remember: rememberOption,
  },
  async run({ options, args: [file = ''], session }) {
    const policy = await policyOf(options, session.allowTest)
    const trust = await trustOf(session, options)
    const { describeReceipt } = await import('@beak/proofs/receipts/describe')
    const verdict = await check(await readJson(file), policy, trust)
    if (verdict.facts === null)
      refuse(
        session,
        verdict,
        [`The receipt is not valid. ${verdict.fault.message}`],
        verdict.fault.fork ? `Both checkpoints are in ${options.remember}.` : '',
      )
    await compare(session, verdict, options, trust)
    const facts = describeReceipt(verdict.facts)
    if (verdict.ok) return session.output.facts(verdict, 'The receipt is as required', facts)
    const isLooking = policy.require === undefined
    if (isLooking && !session.output.isJson)
      session.output.facts(verdict, 'The receipt was not compared with a requirement. It says:', facts)
    refuse(
      session,
      verdict,
      [isLooking ? 'Nothing was required, so nothing is accepted.' : verdict.fault.message],
      isLooking ? 'Say who must have confirmed the receipt: --require signed.' : '',
    )
  },
})

/** Checks the receipt. A malformed policy is a fault of the command line. */
async function check(file: unknown, policy: ReceiptPolicy, { keys, issuer }: Trust): Promise<OutcomeVerdict> {
  const { checkWithPolicy, logTrustOf } = await import('@beak/proofs/receipts/check-policy')
  try {
    logTrustOf(policy)
  } catch (error) {
    throw usageFault((error as Error).message, 'See: beak receipt verify --help')
  }
  return checkWithPolicy(file, policy, { keys: () => keys, issuer })
}

/** Ends the command when a kept receipt contradicts the receipt that is checked. */
async function compare(
  session: Session,
  verdict: Extract<OutcomeVerdict, { facts: AnyFacts }>,
  { against }: Options,
  trust: Trust,
): Promise<void> {
  const { contradictionBetween } = await import('@beak/proofs/receipts/contradiction')
  for (const name of against) {
    const kept = await check(await readJson(name), { allowTest: session.allowTest }, trust)
    if (kept.facts === null) throw usageFault(`${name} is not a valid receipt. ${kept.fault.message}`)
    const contradiction = contradictionBetween(kept.facts, verdict.facts)
    if (contradiction !== null)
      refuse(
        session,
        { ...verdict, contradiction },
        [`${name} and this receipt contradict each other. ${contradiction}`],
        'The service signed both. Keep them: they prove it.',
      )
  }
}

async function policyOf(options: Options, allowTest: boolean): Promise<ReceiptPolicy> {
  const { require, audience, target, vkey: vkeys, witness: witnesses, quorum } = options
  if (witnesses.length > 0 && vkeys.length === 0) throw usageFault('--witness needs --vkey.')
  if (require === 'pinned' && options.pin.length === 0) throw usageFault('--require pinned needs --pin.')
  if (options.approver !== undefined && options.pin.length === 0)
    throw usageFault(
      '--approver needs --pin: without a passkey that you kept, the service can claim the origin of the approver.',
    )
  const outcomes = options['expect-outcome'] as Outcome[]
  return {
    // The declaration of the option has these choices.
    require: require as Requirement | undefined,
    outcome: outcomes.length > 0 ? outcomes : undefined,
    action: options['expect-action'],
    params: await readParams(options.params, options.param),
    audience,
    target,
    pins: options.pin.map(pinOf),
    rules: options['accept-rules'] ? 'accept' : undefined,
    challenge: options.challenge,
    approver: options.approver,
    allowTest,
    logged: options.logged,
    signedWithinSeconds: secondsOf('signed-within', options['signed-within']),
    decidedWithinSeconds: secondsOf('decided-within', options['decided-within']),
    vkeys,
    witnesses,
    quorum: numberOf('quorum', quorum),
    logPolicy: await readLogPolicy(options),
    checkpoints: await readRemembered(options),
  }
}

/** Reads a pin. Base64url has no colon, so the colon ends the id. */
function pinOf(text: string): Pin {
  const [, credential_id = '', public_key = ''] = /^([\w-]+):([\w-]+)$/.exec(text) ?? []
  if (public_key === '')
    throw usageFault(`--pin must be credential_id:public_key, as in "passkey" of a receipt, not "${text}".`)
  return { credential_id, public_key }
}
