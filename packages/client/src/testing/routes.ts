/** What the fake answers at each path. Other paths are `path_not_found`. */
import * as z from 'zod'
import type { ConsumedGrant, Peck, Requester } from '../generated/schemas'
import { isLink } from '../permission'
import { Refused } from './failures'
import { requireFreeText } from './free-text'
import type { Invitations } from './invitations'
import type { FakePeck, Pecks } from './pecks'
import { type Agent, ownerOf, type Person } from './people'
import type { Signer } from './signing'

/** The parts of a fake that its routes use. */
export interface World {
  issuer: string
  pecks: Pecks
  invitations: Invitations
  signer: Signer
  people: Person[]
  agents: Agent[]
  /** The permissions of the tokens that were handed out. */
  tokens: Map<string, FakePeck>
  /** Called when a request waits for a decision. */
  onWait: (peckId: string) => void
}

interface Call {
  /** Who calls: null without a credential. */
  caller: Person | Agent | null
  input: unknown
  signal: AbortSignal | null | undefined
}

const hour = 3600
const lifetime = z.int().min(60).max(2_592_000)
const params = z.record(z.string(), z.unknown()).default({})
const verbObject = z.string().regex(/^[a-z][a-z0-9_-]{0,31}:[a-z][a-z0-9_.*/-]{0,63}$/)
const QuestionFields = z.strictObject({
  target_duckling_id: z.string().optional(),
  target: z.string().optional(),
  action: verbObject,
  scope: z.enum(['limited', 'timed', 'standing']).default('limited'),
  params,
  message: z.string().max(280).optional(),
  expires_in: lifetime.default(24 * hour),
  grant_expires_in: lifetime.optional(),
  audience: z.string().optional(),
})
const Question = QuestionFields.superRefine(requireFreeText)
const Invitation = z.strictObject({
  agent_id: z.string().optional(),
  action: verbObject.optional(),
  uses: z.int().min(1).max(100_000).optional(),
  expires_in: z
    .int()
    .min(60)
    .max(366 * 24 * hour)
    .optional(),
  note: z.string().min(1).max(280).optional(),
})
const InvitationId = z.strictObject({ invitation_id: z.string() })
const defaultGrantSeconds = { limited: 24 * hour, timed: hour, standing: null }
const Use = z.strictObject({ grant_token: z.string(), params, audience: z.string().optional() })
const PeckId = z.strictObject({ peck_id: z.string() })
const Pause = z.strictObject({ all: z.literal(true) })
const Approval = PeckId.extend({ grant_expires_in: lifetime.optional() })
const Rejection = PeckId.extend({ reason: z.string().min(1).max(280) })
const Status = PeckId.extend({ wait: z.coerce.number().int().min(0).max(30).default(0) })

/** Returns the input in the form of the operation. Throws `invalid_request`, which names the fields. */
function read<T>(schema: z.ZodType<T>, input: unknown): T {
  const { success, data, error } = schema.safeParse(input)
  if (success) return data
  const errors = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((field) => ({ field, message: 'is not a known field' }))
      : [{ field: issue.path.join('.'), message: issue.message }],
  )
  throw new Refused('invalid_request', { errors })
}

function asker({ caller }: Call): Person | Agent {
  if (caller === null) throw new Refused('session_invalid')
  return caller
}

function person(call: Call): Person {
  const caller = asker(call)
  if ('owner' in caller) throw new Refused('agent_not_allowed')
  return caller
}

/** Returns a peck that the caller may see. Throws `peck_not_found`. */
function visible({ pecks }: World, caller: Person | Agent, id: string): FakePeck {
  const peck = pecks.find(id)
  const isAsker = peck.asker === caller || ownerOf(peck.asker) === caller
  if (!isAsker && peck.target !== caller) throw new Refused('peck_not_found')
  return peck
}

function ownDecision(world: World, caller: Person, id: string): FakePeck {
  const peck = visible(world, caller, id)
  if (peck.target !== caller) throw new Refused('not_the_target')
  return peck
}

const requesterOf = (asker: Person | Agent): Requester => ({
  type: 'owner' in asker ? 'agent' : 'duckling',
  duckling_id: ownerOf(asker).id,
  display_name: ownerOf(asker).name,
  trust_tier: 'T2',
  ...('owner' in asker ? { agent_id: asker.id, agent_name: asker.name } : {}),
})

const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString())

async function present(world: World, peck: FakePeck, caller: Person | Agent): Promise<Peck> {
  const { pecks, signer, tokens } = world
  const answer: Peck = {
    peck_id: peck.id,
    status: pecks.statusOf(peck),
    grant_status: pecks.grantStatusOf(peck),
    action: peck.action,
    scope: peck.scope,
    params: peck.params,
    params_hash: peck.paramsHash,
    message: peck.message,
    summary: `${peck.asker.name} asks ${peck.target.name} for ${peck.action}.`,
    reason: peck.decided?.reason ?? null,
    target_duckling_id: peck.target.id,
    target_display_name: peck.target.name,
    requester: requesterOf(peck.asker),
    created_at: new Date(peck.createdAt).toISOString(),
    expires_at: new Date(peck.expiresAt).toISOString(),
    decided_at: iso(peck.decided?.at ?? null),
    grant_expires_at: iso(peck.grantExpiresAt),
    uses: peck.uses,
    max_uses: peck.scope === 'limited' ? 1 : null,
    last_used_at: iso(peck.lastUsedAt),
    ...(peck.audience === null ? {} : { audience: peck.audience }),
    ...(peck.ruleId === null ? {} : { decided_by: { type: 'rule', rule_id: peck.ruleId } }),
    ...(peck.supersededBy === null ? {} : { superseded_by: peck.supersededBy }),
    ...(peck.supersedes === null ? {} : { supersedes: peck.supersedes }),
  }
  if (answer.grant_status !== 'active' || peck.asker !== caller) return answer
  const known = [...tokens].find(([, of]) => of === peck)?.[0]
  const grant_token = known ?? (await signer.grantToken(peck, pecks.now()))
  tokens.set(grant_token, peck)
  return { ...answer, grant_token }
}

/** Spends a use, or only checks it. The state changes before the first `await`, so of simultaneous uses exactly one succeeds. */
async function use(world: World, { input }: Call, spend: boolean): Promise<ConsumedGrant> {
  const { grant_token, params, audience } = read(Use, input)
  const { pecks, signer, tokens } = world
  const peck = tokens.get(grant_token)
  if (!peck) throw new Refused('grant_token_invalid')
  pecks.use(peck, params, audience, spend)
  const receipt = await signer.receipt(peck, pecks.outcomeOf(peck), pecks.now())
  return {
    active: true,
    peck_id: peck.id,
    action: peck.action,
    target_duckling_id: peck.target.id,
    requester: requesterOf(peck.asker),
    uses_left: peck.scope === 'limited' ? 1 - peck.uses : null,
    receipt: receipt as ConsumedGrant['receipt'],
  }
}

/** Returns who is asked, and what spends a use of the invitation. Throws what the service throws for a wrong target. */
function targetOf(
  { people, invitations }: World,
  caller: Person | Agent,
  { target_duckling_id: id, target: given, action }: z.output<typeof Question>,
): { target: Person; spend: () => void } {
  if ((id === undefined) === (given === undefined)) {
    const message = 'must be sent unless target is: send one of the two, not both'
    throw new Refused('invalid_request', { errors: [{ field: 'target_duckling_id', message }] })
  }
  const ref = id ?? given ?? ''
  if (given !== undefined && isLink(given)) {
    const invitation = invitations.find(given)
    invitations.requireMatch(invitation, caller, action)
    return { target: invitation.owner, spend: () => invitations.spend(invitation) }
  }
  const target = people.find((one) => one.id === ref || `@${one.handle}` === ref)
  if (!target) throw new Refused('duckling_not_found')
  return { target, spend: () => {} }
}

type Route = (world: World, call: Call) => Promise<object>

export const routes: Readonly<Record<string, Route>> = {
  'GET /.well-known/jwks.json': ({ signer }) => signer.jwks(),

  'POST /beak/peck/request': async (world, call) => {
    const caller = asker(call)
    const body = read(Question, call.input)
    const { target, spend } = targetOf(world, caller, body)
    const question = {
      action: body.action,
      scope: body.scope,
      params: body.params,
      message: body.message ?? null,
      audience: body.audience ?? null,
      expiresIn: body.expires_in,
      grantSeconds: body.grant_expires_in ?? defaultGrantSeconds[body.scope],
    }
    const { peck, repeated } = world.pecks.ask(caller, target, question, spend)
    return { ...(await present(world, peck, caller)), ...(repeated ? { repeated } : {}) }
  },

  'GET /beak/peck/status': async (world, call) => {
    const caller = asker(call)
    const { peck_id, wait } = read(Status, call.input)
    const peck = visible(world, caller, peck_id)
    if (wait > 0 && world.pecks.statusOf(peck) === 'pending') {
      const decided = world.pecks.decided(peck, call.signal)
      world.onWait(peck.id)
      await decided
    }
    return present(world, peck, caller)
  },

  'POST /beak/peck/approve': async (world, call) => {
    const caller = person(call)
    const { peck_id, grant_expires_in } = read(Approval, call.input)
    const peck = ownDecision(world, caller, peck_id)
    world.pecks.decide(peck, 'approved', grant_expires_in ? { grantSeconds: grant_expires_in } : {})
    return present(world, peck, caller)
  },

  'POST /beak/peck/reject': async (world, call) => {
    const caller = person(call)
    const { peck_id, reason } = read(Rejection, call.input)
    const peck = ownDecision(world, caller, peck_id)
    world.pecks.decide(peck, 'rejected', { reason })
    return present(world, peck, caller)
  },

  'POST /beak/peck/undo': async (world, call) => {
    const caller = person(call)
    const peck = ownDecision(world, caller, read(PeckId, call.input).peck_id)
    world.pecks.undo(peck)
    return present(world, peck, caller)
  },

  'POST /beak/peck/cancel': async (world, call) => {
    const caller = asker(call)
    const peck = visible(world, caller, read(PeckId, call.input).peck_id)
    if (peck.asker !== caller && ownerOf(peck.asker) !== caller) throw new Refused('not_the_asker')
    world.pecks.decide(peck, 'cancelled')
    return present(world, peck, caller)
  },

  'GET /beak/peck/outcome': async (world, call) => {
    const { peck_id } = read(PeckId, call.input)
    const peck = visible(world, asker(call), peck_id)
    return world.signer.receipt(peck, world.pecks.outcomeOf(peck), world.pecks.now())
  },

  'POST /beak/rule/pause': async (_, call) => {
    const caller = person(call)
    read(Pause, call.input)
    caller.isPaused = true
    return { paused: true }
  },

  'POST /beak/invitation/create': async ({ invitations, agents }, call) => {
    const owner = person(call)
    const {
      agent_id = null,
      action = null,
      uses = null,
      expires_in = null,
      note = null,
    } = read(Invitation, call.input)
    if (agent_id !== null && !agents.some(({ id }) => id === agent_id))
      throw new Refused('agent_not_registered')
    const given = { agentId: agent_id, action, maxUses: uses, expiresIn: expires_in, note }
    return invitations.present(invitations.create(owner, given))
  },

  'POST /beak/invitation/revoke': async ({ invitations }, call) => {
    const owner = person(call)
    const { invitation_id } = read(InvitationId, call.input)
    return invitations.present(invitations.revoke(owner, invitation_id))
  },

  'POST /beak/peck/check': (world, call) => use(world, call, false),
  'POST /beak/peck/consume': (world, call) => use(world, call, true),
}
