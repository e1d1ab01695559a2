/**
 * Makes demo data with the commands of the domain: people at every tier, certificates, agents and pecks in every state, channels,
 * invitations, webhooks, sign-on tokens. Reads the codes from the development outbox, as a developer would.
 */
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { rotateKey } from '@/lib/domain/agents/credentials'
import { suspendAgent } from '@/lib/domain/agents/suspend'
import { issueCertificate, revokeCertificate } from '@/lib/domain/certs/issue'
import { addChannel, updateChannel } from '@/lib/domain/channels/channels'
import { claimHandle } from '@/lib/domain/identity/claim-handle'
import { updateProfile } from '@/lib/domain/identity/update-profile'
import { createInvitation } from '@/lib/domain/invitations/create'
import { foldMetrics } from '@/lib/domain/metrics/record-days'
import { approvePeck } from '@/lib/domain/pecks/decide/approve'
import { challengePasskey } from '@/lib/domain/pecks/decide/challenge'
import { cancelPeck, rejectPeck } from '@/lib/domain/pecks/decide/decline'
import { revokeGrant } from '@/lib/domain/pecks/grant/revoke'
import { expirePeck } from '@/lib/domain/pecks/record'
import { pauseRule } from '@/lib/domain/pecks/rules/commands'
import { consumeGrant } from '@/lib/domain/pecks/use/use'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { issueToken } from '@/lib/domain/sso/issue'
import { appendToLog } from '@/lib/domain/tlog/append'
import { elevateTrust } from '@/lib/domain/trust/elevate'
import { createWebhook } from '@/lib/domain/webhooks/update'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import type { Authenticator } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling, anonymously, provedContext } from '@/lib/factories/ducklings'
import { codeFor } from '@/lib/factories/outbox'
import { aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aRule } from '@/lib/factories/rules'
import { config } from '@/lib/kernel/config'
import { hour, readClock } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'
import { CommandRefused, type PrintLine } from './command'

const emailOf = (name: string) => `${name.toLowerCase()}@pond.example`
const bios: Record<string, string> = {
  Mallard: 'Keeps the north bank tidy.',
  Eider: 'Cold water, warm heart.',
  Teal: 'Small, quick, rarely lost.',
  Pintail: 'Reads maps for fun.',
}

async function aPerson(name: string, referralCode?: string): Promise<ADuckling> {
  const duckling = await aDuckling({
    displayName: name,
    email: emailOf(name),
    ...(referralCode ? { referralCode } : {}),
  })
  const bio = bios[name]
  if (bio) await updateProfile(await duckling.context(), { bio })
  return duckling
}

/** Lifts a person from T1 to T2 with a phone number. */
async function verifyPhone(duckling: ADuckling, phone: string): Promise<void> {
  const asked = readClock()
  await elevateTrust(await duckling.context(), { phone })
  await elevateTrust(await duckling.context(), { otp: await codeFor(phone, asked) })
}

/** Lifts a person from T2 to T3 with a passkey. Returns the authenticator. */
async function addPasskey(duckling: ADuckling) {
  const { authenticator } = await aPasskey(duckling, { name: 'Laptop' })
  const options = await challengePasskey(await duckling.context(), { purpose: 'elevate' })
  await elevateTrust(await duckling.context(), { passkey: authenticator.get(options) })
  return authenticator
}

async function makePecks(
  scout: AnAgent,
  mallard: ADuckling,
  eider: ADuckling,
  teal: ADuckling,
  confirm: (peckId: string) => Promise<void>,
): Promise<void> {
  await aPeck(scout, mallard, {
    action: 'send:mail',
    params: { to: 'pond@example.com', subject: 'Bread on Sunday' },
    message: 'The draft you asked for is ready.',
  })
  await aPeck(teal, mallard, { action: 'read:calendar', scope: 'timed', grantExpiresIn: 2 * hour })
  await aPeck(eider, mallard, { action: 'read:profile', params: { fields: ['email'] } })

  const used = await anApprovedPeck(scout, mallard, {
    action: 'book:train',
    params: { from: 'Pond', to: 'Lake' },
  })
  await consumeGrant(anonymously(), {
    grantToken: used.grant_token,
    params: { from: 'Pond', to: 'Lake' },
  })
  await anApprovedPeck(scout, mallard, { action: 'read:mail', scope: 'timed', grantExpiresIn: 24 * hour })
  const withdrawn = await anApprovedPeck(eider, mallard, {
    action: 'write:notes',
    scope: 'timed',
    grantExpiresIn: hour,
  })
  await revokeGrant(await mallard.context(), withdrawn.peck_id)

  const rejected = await aPeck(teal, mallard, {
    action: 'transfer:money',
    params: { amount: 500, currency: 'EUR' },
    message: 'Just this once?',
  })
  await rejectPeck(await mallard.context(), rejected.peck_id, 'Ask me in person.')
  const cancelled = await aPeck(mallard, teal, { action: 'read:profile' })
  await cancelPeck(await mallard.context(), cancelled.peck_id)
  const expired = await aPeck(mallard, eider, { action: 'read:calendar', expiresIn: 60 })
  // Expires only this peck, and now: the log is in the order of time. The database may contain pecks of other people.
  await transaction(async (tx) => {
    const now = readClock()
    await tx.run`UPDATE "Peck" SET "expiresAt" = ${now}::timestamptz WHERE "id" = ${expired.peck_id}`
    await expirePeck(tx, expired.peck_id, now)
  })

  const standing = await aPeck(scout, eider, { action: 'read:status', scope: 'standing' }).catch(() => null)
  if (standing) await confirm(standing.peck_id)
}

/** A rule with answers, one that only watches, and one that is paused. One request waits, because the budget is spent. */
async function makeRules(steward: AnAgent, eider: ADuckling, authenticator: Authenticator): Promise<void> {
  const pay = (amount: string, to = 'fish@lake.example') =>
    aPeck(steward, eider, { action: 'pay:invoice', params: { amount, to } })
  await pay('€9.50', 'boats@lake.example')
  await aRule(eider, authenticator, {
    agent_id: steward.agentId,
    actions: ['pay:invoice'],
    params: { amount: { at_most: '€50.00' }, to: { equals: 'fish@lake.example' } },
    budget: { amount: '€100.00', per: 'month', uses: 20 },
    answer: 'approve',
  })
  for (const amount of ['€38.00', '€12.40', '€30.00', '€45.00']) await pay(amount)
  await aRule(eider, authenticator, {
    agent_id: steward.agentId,
    actions: ['read:calendar'],
    budget: { uses_each: 5, per: 'day' },
    answer: 'approve',
    mode: 'watch',
  })
  await aPeck(steward, eider, { action: 'read:calendar' })
  const paused = await aRule(eider, authenticator, {
    operator_id: eider.id,
    actions: ['delete:draft'],
    params: { path: { path_below: '/drafts' } },
    budget: { uses: 10 },
    answer: 'reject',
  })
  await pauseRule(await eider.context(), paused.rule_id)
}

const webhookUrl = 'https://hooks.lake.example/beak'

/** Returns a message when the demo data exists, else null. Throws when an earlier run was interrupted. */
async function findDemoData(): Promise<string | null> {
  const mallard = await db().duckling.findUnique({ where: { email: emailOf('Mallard') } })
  if (mallard === null) return null
  // The webhook is made last, so it shows that the data is complete.
  const count = await db().webhookEndpoint.count({ where: { ducklingId: mallard.id, url: webhookUrl } })
  if (count > 0) return 'The demo data already exists.'
  throw new CommandRefused(
    `${emailOf('Mallard')} exists, but the demo data is not complete. For complete demo data, start with an empty database.`,
  )
}

/** Makes the demo data unless it exists. Returns the last line to print. Throws `CommandRefused`. */
export async function seed(print: PrintLine): Promise<string> {
  const { smtp, twilio, hasOutbox, dataDir } = config()
  if (smtp !== null || twilio !== null || !hasOutbox)
    throw new CommandRefused(
      'The seed reads codes from the development outbox. Run it without SMTP_URL and TWILIO_…, and with a BASE_URL on this machine.',
    )
  const found = await findDemoData()
  if (found !== null) return found
  print('People …')
  const mallard = await aPerson('Mallard')
  const { referralCode } = await db().duckling.findUniqueOrThrow({ where: { id: mallard.id } })
  const [eider, teal, pintail] = [
    await aPerson('Eider', referralCode),
    await aPerson('Teal', referralCode),
    await aPerson('Pintail'),
  ]
  for (const name of ['Gadwall', 'Wigeon', 'Shoveler', 'Goldeneye', 'Smew', 'Garganey']) await aPerson(name)
  await aDuckling({ displayName: 'Newcomer', email: emailOf('Newcomer'), tier: 'T0' })
  await verifyPhone(mallard, '+14155550101')
  await verifyPhone(eider, '+14155550102')
  const authenticator = await addPasskey(eider)

  print('Certificates …')
  for (const duckling of [mallard, eider, teal, pintail]) await issueCertificate(await duckling.context())
  await revokeCertificate(await pintail.context(), 'I want a new one after my holidays.')

  print('Handles …')
  await claimHandle(await mallard.context(), 'mallard')
  await claimHandle(await teal.context(), 'teal')

  print('Agents …')
  const scout = await anAgent(mallard, { name: 'Scout' })
  await anAgent(teal, { name: 'Archivist', capabilities: ['read:profile', 'read:audit'] })
  await anAgent(mallard, { name: 'Fledgling', bonded: false })
  const suspended = await anAgent(eider, { name: 'Night watch' })
  await suspendAgent(await eider.context(), suspended.agentId)
  const deregistered = await anAgent(mallard, { name: 'Old herald' })
  await deregisterAgent(await mallard.context(), deregistered.agentId)
  const rotated = await anAgent(eider, { name: 'Lookout' })
  await confirmWithPasskey(eider, authenticator)
  await rotateKey(await eider.context(), rotated.agentId, 90)

  print('Pecks …')
  await makePecks(scout, mallard, eider, teal, async (peckId) => {
    const options = await challengePasskey(await eider.context(), {
      purpose: 'approve',
      peck_id: peckId,
      statement_version: 2,
    })
    await approvePeck(await eider.context(), {
      peckId,
      grantExpiresIn: undefined,
      passkey: authenticator.get(options),
    })
  })

  print('Rules …')
  await makeRules(await anAgent(eider, { name: 'Steward' }), eider, authenticator)

  print('Channels and invitations …')
  const proved = await provedContext(mallard)
  const { channel_id } = await addChannel(proved, {
    kind: 'ntfy',
    name: 'Boathouse bell',
    url: 'https://ntfy.lake.example/mallard-9f2c41d7e0b8',
  })
  // This host does not exist. Requests with other risks are mailed as before.
  await updateChannel(proved, { channel_id, announces: ['high'] })
  await createInvitation(proved, { action: 'book:table', note: 'For the island restaurant' })

  print('Sign-on and webhooks …')
  await issueToken(await mallard.context(), 'lake.example', 'profile')
  await updateProfile(await mallard.context(), { builder: true })
  await createWebhook(await mallard.context(), {
    url: webhookUrl,
    kinds: ['peck.sent', 'peck.approved'],
    description: 'Lake house',
  })
  await drainOutbox()
  await foldMetrics()
  await appendToLog(readClock(), { force: true })
  return `Done. Sign in as ${emailOf('Mallard')} (or Eider, Teal, Pintail …): request a code and read it in ${dataDir}/outbox.`
}
