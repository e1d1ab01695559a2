import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { eventKinds } from '@/lib/infrastructure/events/kinds'
import { failureTable } from '@/lib/kernel/request/failures'
import { type AuditEvent, eventSentence, plainText, refusalReason } from './event-sentence'
import { formerFailures } from './former-failures'

const me = 'DUCK-ME'
const names = Object.fromEntries([
  ['DUCK-OTHER', 'Eider'],
  ['AGT-ONE', 'Scout'],
])

function anEvent(action: string, of: Partial<AuditEvent> = {}): AuditEvent {
  return {
    event_id: 'EVT-1',
    duckling_id: me,
    seq: 1,
    action,
    outcome: 'success',
    occurred_at: '2026-11-21T10:00:00.000Z',
    actor: { type: 'duckling', id: me },
    targets: [],
    context: { ip: null, user_agent: null, request_id: null },
    metadata: {},
    prev_hash: '',
    hash: '',
    ...of,
  }
}

const sentenceOf = (event: AuditEvent) => plainText(eventSentence(event, { id: me, names }))
const peck = {
  targets: [
    { type: 'peck', id: 'PECK-1' },
    { type: 'duckling', id: me },
    { type: 'agent', id: 'AGT-ONE' },
  ],
  metadata: { action: 'send:mail', scope: 'limited', asker: 'AGT-ONE' },
}
const agent = { type: 'agent', id: 'AGT-ONE' } as const

describe('the sentence of an event', () => {
  it.each([
    [anEvent('peck.approved', peck), 'You approved “Send mail” for “Scout”'],
    [
      anEvent('peck.approved', { ...peck, actor: { type: 'system', id: 'RULE-1' } }),
      'Your rule approved “Send mail” for “Scout”',
    ],
    [
      anEvent('peck.rejected', {
        ...peck,
        actor: { type: 'system', id: 'RULE-1' },
        targets: [{ type: 'duckling', id: 'DUCK-OTHER' }],
      }),
      'A rule rejected “Send mail” for “Scout”',
    ],
    [
      anEvent('peck.revoked', { ...peck, metadata: { ...peck.metadata, cause: 'undone' } }),
      'You undid the approval of “Send mail” for “Scout”',
    ],
    [anEvent('peck.sent', { ...peck, actor: agent }), '“Scout” asked you for “Send mail”'],
    [
      anEvent('peck.rejected', {
        actor: { type: 'duckling', id: 'DUCK-OTHER' },
        metadata: { action: 'read:profile', asker: me },
      }),
      'Eider rejected “Read the profile” for you',
    ],
    [
      anEvent('peck.consumed', { ...peck, actor: { type: 'anonymous', id: null } }),
      '“Scout” used the permission “Send mail”',
    ],
    [
      anEvent('peck.expired', { ...peck, actor: { type: 'system', id: null } }),
      'Nobody answered “Send mail” for “Scout” in time',
    ],
    [
      anEvent('code.sent', {
        actor: { type: 'system', id: null },
        metadata: { purpose: 'phone', channel: 'sms' },
      }),
      'Beak sent a code by SMS to confirm the phone',
    ],
    [anEvent('session.started', { metadata: { amr: ['pop'] } }), 'You signed in with a passkey'],
    [
      anEvent('session.started', {
        outcome: 'denied',
        actor: { type: 'anonymous', id: null },
        metadata: { failure: 'sign_in_failed', purpose: 'signin' },
      }),
      'Somebody tried to sign in with a code',
    ],
    [
      anEvent('session.revoked', {
        targets: [
          { type: 'session', id: 'SES-1' },
          { type: 'session', id: 'SES-2' },
        ],
      }),
      'You signed out 2 devices',
    ],
    [
      anEvent('session.revoked', {
        actor: { type: 'system', id: null },
        targets: [{ type: 'session', id: 'SES-1' }],
        metadata: { reason: 'signing_key_distrusted', kid: 'k' },
      }),
      'Beak signed out a device, because the key that signed its token may have been stolen',
    ],
    [
      anEvent('duckling.updated', { metadata: { fields: ['bio', 'min_peck_tier', 'builder'] } }),
      'You changed the short bio, who may send you requests and what your pages show',
    ],
    [
      anEvent('peck.receipt_shared', { metadata: { values: 'hidden' } }),
      'You shared the receipt of a request, without its values',
    ],
    [anEvent('peck.revoked', peck), 'You revoked the permission “Send mail” of “Scout”'],
    [
      anEvent('passkey.challenged', { metadata: { purpose: 'register' } }),
      'You opened the passkey prompt to add a passkey',
    ],
    [
      anEvent('passkey.challenged', { metadata: { purpose: 'rule' } }),
      'You opened the passkey prompt to sign a rule',
    ],
    [
      anEvent('rule.exhausted', {
        actor: { type: 'system', id: 'RULE-1' },
        metadata: { action: 'pay:invoice', asker: 'AGT-ONE' },
      }),
      'A rule for “Scout” had too little left for “Pay an invoice”, so the request waited for you',
    ],
    [
      anEvent('key.refused', { outcome: 'denied', metadata: { cause: 'expired', agent_id: 'AGT-ONE' } }),
      'A beak key of “Scout” was refused: it has expired',
    ],
    [
      anEvent('key.refused', {
        outcome: 'denied',
        metadata: { cause: 'wrong_secret', agent_id: 'AGT-ONE', count: 200 },
      }),
      'A beak key of “Scout” was refused 200 times: its secret is wrong',
    ],
    [anEvent('moon.landed'), 'You: moon.landed'],
  ])('%#: has the expected words', (event, sentence) => {
    expect(sentenceOf(event)).toBe(sentence)
  })

  it('is complete for every kind and outcome, even when facts are missing', () => {
    for (const kind of Object.keys(eventKinds)) {
      for (const outcome of ['success', 'denied'] as const) {
        const sentence = sentenceOf(anEvent(kind, { outcome }))
        expect(sentence, kind).not.toMatch(/[{}]|undefined|null|^\s*$/)
        expect(sentence, kind).toMatch(/^[A-Z]/)
      }
    }
  })

  it('quotes the names of agents, devices, computers and passkeys, so that no name can end its quotation', () => {
    const name = 'Scout” and “Eider'
    const named = (event: AuditEvent) =>
      plainText(eventSentence(event, { id: me, names: { ...names, 'AGT-ONE': name } }))
    expect(
      [
        anEvent('peck.approved', peck),
        anEvent('peck.sent', { ...peck, actor: agent }),
        anEvent('agent.suspended', { targets: [agent] }),
        anEvent('agent.disconnected', { metadata: { agent_name: name } }),
        anEvent('agent.guarded', { targets: [agent], metadata: { computer: name } }),
        anEvent('session.device_approved', { metadata: { device: name } }),
        anEvent('passkey.registered', { metadata: { name } }),
        anEvent('passkey.removed', { metadata: { name } }),
        anEvent('duckling.renamed', { metadata: { from: name, to: 'Teal' } }),
      ].map(named),
    ).toEqual([
      'You approved “Send mail” for “Scout and Eider”',
      '“Scout and Eider” asked you for “Send mail”',
      'You paused “Scout and Eider”',
      'You disconnected “Scout and Eider”',
      'On “Scout and Eider”, “Scout and Eider” asks before it acts',
      'You approved the sign-in of the device “Scout and Eider”',
      'You added the passkey “Scout and Eider”',
      'You removed “Scout and Eider”',
      'You changed the name from “Scout and Eider” to “Teal”',
    ])
  })

  it('gives the reason of a refusal from the failure table', () => {
    const event = anEvent('cert.issued', { outcome: 'denied', metadata: { failure: 'tier_too_low' } })
    expect(sentenceOf(event)).toBe('You tried to issue a certificate')
    expect(refusalReason(event)).toBe('This needs more than your account has confirmed so far.')
    expect(refusalReason(anEvent('cert.issued'))).toBeNull()
    expect(refusalReason({ ...event, metadata: { failure: 'unheard_of' } })).toBeNull()
    expect(refusalReason({ ...event, metadata: { failure: 'constructor' } })).toBeNull()
  })

  it('explains the names in events of earlier versions', () => {
    const event = anEvent('session.started', { outcome: 'denied', metadata: { failure: 'sign_in_refused' } })
    expect(refusalReason(event)).toBe(failureTable.sign_in_failed.detail)
    expect(Object.keys(formerFailures).filter((name) => name in failureTable)).toEqual([])
  })
})

describe('the names in a log', () => {
  it('include the owner and the agents of its events', async () => {
    const owner = await aDuckling({ displayName: 'Mallard' })
    const { agentId, beakKey: key } = await anAgent(owner, { capabilities: ['request:peck'] })
    await call('POST /beak/peck/request', {
      key,
      body: { target_duckling_id: owner.id, action: 'send:mail', scope: 'limited' },
    })
    const { body } = await call('GET /beak/audit?names=true', { token: owner.token })
    const found = body.names
    expect(found[owner.id]).toBe('Mallard')
    const sent = body.items.find(({ action }: AuditEvent) => action === 'peck.sent')
    expect(plainText(eventSentence(sent, { id: owner.id, names: found }))).toBe(
      `“${found[agentId]}” asked you for “Send mail”`,
    )
  })

  it('tell other people and their agents from own ones with the same name', async () => {
    const [owner, stranger] = [await aDuckling(), await aDuckling({ displayName: 'Scout' })]
    const [own, theirs] = [
      await anAgent(owner, { name: 'Scout' }),
      await anAgent(stranger, { name: 'Scout' }),
    ]
    const body = { target_duckling_id: owner.id, action: 'send:mail', scope: 'limited' }
    await call('POST /beak/peck/request', { key: own.beakKey, body })
    await call('POST /beak/peck/request', { key: theirs.beakKey, body })
    await call('POST /beak/peck/request', { token: stranger.token, body })
    const { items, names, marks } = (await call('GET /beak/audit?names=true', { token: owner.token })).body
    const mark = `…${stranger.id.slice(-4)}`
    expect(
      items
        .filter(({ action }: AuditEvent) => action === 'peck.sent')
        .map((event: AuditEvent) => plainText(eventSentence(event, { id: owner.id, names, marks }))),
    ).toEqual([
      `Scout (${mark}) asked you for “Send mail”`,
      `“Scout” (Scout ${mark}) asked you for “Send mail”`,
      '“Scout” asked you for “Send mail”',
    ])
  })
})
