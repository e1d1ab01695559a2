/** A service that answers whatever a test wants, with receipts whose signatures are right. The shop knows its keys. */
import { Beak, PermissionRefusedError } from '@beak/client'
import { permissionTrust, type TrustOptions } from '@beak/client/trust'
import type { DecisionStatement } from '@beak/proofs/receipts/decision-statement'
import {
  assertion,
  endorsement,
  es256Passkey,
  issuer,
  key,
  makeReceipt,
  proof3,
  statementOf3,
  type TestPasskey,
  usualParams,
} from '@/lib/fixtures/receipt-maker'
import { siteOf } from '@/lib/fixtures/signed-parts'

export const params = usualParams
const audience = 'shop.example'
export const nadia = es256Passkey(21)
/** A passkey of the service, which it calls one of Nadia. */
export const madeUp = es256Passkey(22)
export const newer = es256Passkey(23)

type Statement3 = ReturnType<typeof statementOf3>

/** How a receipt differs from an approval of Nadia that was used once. */
export interface ReceiptChanges {
  /** Null: only the service signed. */
  signer?: TestPasskey | null
  /** The passkey that endorses the signer. */
  endorsedBy?: TestPasskey
  /** The site of the passkey. Default: the service. */
  site?: string | undefined
  claims?: Parameters<typeof makeReceipt>[0]['claims']
}

/** Returns a receipt of version 3 without demands. `facts` replace the usual ones. */
export function aReceipt(
  facts: Partial<Statement3> = {},
  { signer = nadia, endorsedBy, site, claims = {} }: ReceiptChanges = {},
): object {
  const statement: DecisionStatement = statementOf3({ challenge: null, code: null, ...facts })
  const isLimited = statement.scope === 'limited' && statement.decision === 'approve'
  const used = { outcome: 'consumed', uses: 1, last_used_at: '2026-09-22T14:14:00.000Z' }
  const endorsements = endorsedBy === undefined || signer === null ? [] : [endorsement(endorsedBy, signer)]
  const faults = site === undefined ? {} : siteOf(site)
  return makeReceipt({
    statement,
    passkey: signer === null ? null : proof3(assertion(signer, canonical(statement), faults), endorsements),
    claims: { ...(isLimited ? used : {}), ...claims },
  })
}

const canonical = (statement: DecisionStatement) => makeReceipt({ statement }).statement_text

interface HostReceipt {
  statement: DecisionStatement
}

/** Returns what `POST /beak/peck/consume` says about a receipt. `changes` replace members. */
export function anAnswer(receipt: object, changes: object = {}): object {
  const { peck_id, action, target_duckling_id, requester } = (receipt as HostReceipt).statement
  return {
    active: true,
    peck_id,
    action,
    target_duckling_id,
    requester: {
      type: 'agent',
      duckling_id: requester.duckling_id,
      agent_id: requester.agent_id,
      agent_name: 'Scout',
      display_name: 'Nadia',
      trust_tier: 'T1',
    },
    uses_left: 0,
    receipt,
    ...changes,
  }
}

export interface LyingHost {
  beak: Beak
  /** The paths that were called. */
  calls: string[]
}

/** Returns a host that gives the answers, one after the other, and the last one again and again. */
export function aLyingHost(...answers: object[]): LyingHost {
  const calls: string[] = []
  let next = 0
  const fetch = async (url: string) => {
    calls.push(new URL(url).pathname)
    return Response.json(answers[Math.min(next++, answers.length - 1)])
  }
  return { beak: new Beak({ url: issuer, fetch }), calls }
}

/** The policy of the shop, at 14:20 of the day of the decision. */
export const policy: TrustOptions['policy'] = {
  issuer,
  keys: { keys: [key.jwk] },
  require: 'signed',
  now: new Date('2026-09-22T14:20:00.000Z'),
}

/** Uses a permission at the host. Returns `used`, or why not. */
export async function use(
  { beak }: LyingHost,
  trust: TrustOptions,
  call: { params?: Record<string, unknown>; audience?: string | undefined } = {},
): Promise<string> {
  try {
    await beak.usePermission('a.b.c', call.params ?? params, {
      audience: 'audience' in call ? call.audience : audience,
      trust: permissionTrust(trust),
    })
    return 'used'
  } catch (error) {
    if (!(error instanceof PermissionRefusedError)) throw error
    return error.refusal
  }
}
