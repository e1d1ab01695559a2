import { describe, expect, it } from 'vitest'
import type { NoticeName } from '@/lib/infrastructure/events/outbox'
import { config } from '@/lib/kernel/config'
import { noticeMessage } from './notice'

const phishing = 'Your account is locked. Unlock at https://evil.example/u'
const facts = {
  made_at: '2026-11-20T03:15:00.000Z',
  at: '2027-01-02T03:04:05.678Z',
  due: '2027-01-03T03:04:05.678Z',
  name: phishing,
  agent: phishing,
  device: phishing,
  certificate: 'CERT-01JDV8K2M3N4P5Q6',
  endpoint: 'WHK-01JDV8K2M3N4P5Q6',
  why: 'it answered 410 Gone',
  summary: `Agent "${phishing}" of Alice42 (tier T1) asks Bob7 for permission to visit evil.example/u, once.`,
}
const kinds: NoticeName[] = [
  'signup_attempt',
  'new_device',
  'passkey_added',
  'passkey_removed',
  'passkey_counter',
  'key_rotated',
  'certificate_revoked',
  'email_changed',
  'phone_changed',
  'code_failures',
  'account_closed',
  'account_closed_by_host',
  'sessions_ended_by_host',
  'account_suspended',
  'account_resumed',
  'webhook_disabled',
  'peck_waiting',
  'account_reclaimed',
  'tier_lowered',
  'email_restored',
  'email_restore_started',
  'email_restore_cancelled',
  'recovery_cancelled',
  'passkeys_removed',
  'log_continued',
  'service_restored',
]

// security: check-13
describe('the mail of every notice', () => {
  // security: asker-25
  it.each(kinds)('says what happened and what to do, without a link: %s', (kind) => {
    const { subject, text } = noticeMessage(kind, [facts])
    const [event = '', ...rest] = text.trimEnd().split('\n\n')
    expect(event).toMatch(/[.:]$/)
    // What to do, and the button to do it with.
    const said = rest.filter((part) => !part.startsWith(`${config().baseUrl}/`) && !part.endsWith(':'))
    if (kind !== 'new_device') expect(said.at(-1)).toMatch(/^[A-Z].{15,}\.$/)
    const own = text.replaceAll(new RegExp(`^${config().baseUrl}/[\\w#/-]+$`, 'gm'), '')
    expect(`${subject}\n${own}`).not.toMatch(/evil|https?:|undefined|an unknown time/)
    expect(text).not.toMatch(/T\d\d:/)
  })

  it.each(kinds)('counts several events: %s', (kind) => {
    const { text } = noticeMessage(kind, [facts, facts], { count: 9 })
    expect(text).toMatch(/^This happened 9 times. The first 2:\n\n1\. [\s\S]*\n\n2\. /)
  })
})

it('describes a known device, and quotes an unknown one', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
  expect(noticeMessage('new_device', [{ device: chrome }]).text).toContain('Device: Chrome on Linux\n')
  expect(noticeMessage('new_device', [{ device: 'Bot see evil.example' }]).text).toContain(
    'Device: "Bot see [link removed]"\n',
  )
  expect(noticeMessage('new_device', [{ device: '' }]).text).toContain('Device: unknown\n')
})

it('says by the name of the reason why an endpoint was switched off', () => {
  const notice = (disabled_reason: string) =>
    noticeMessage('webhook_disabled', [{ endpoint: 'WHK-01', disabled_reason, why: 'text' }]).text
  expect(notice('gone')).toContain('your webhook endpoint WHK-01 because it answered 410 Gone.')
  expect(notice('failing')).toContain('your webhook endpoint WHK-01 because it has failed for 120 hours.')
})

it('names the endpoint of an older row by its id and not by its host', () => {
  const { text } = noticeMessage('webhook_disabled', [{ url: 'WHK-01 at evil.example', why: 'it failed' }])
  expect(text).toContain('your webhook endpoint WHK-01 because it failed.')
})

it('counts events whose facts are not stored', () => {
  expect(noticeMessage('key_rotated', [], { count: 3 }).text).toMatch(
    /^This happened 3 times\.\n\nIf [\s\S]+sign in first/,
  )
})

describe('“This wasn’t me”', () => {
  const url = (session: string) => `https://beak.example/not-me?token=${session}`
  const links = new Map(['S1', 'S2'].map((session) => [session, url(session)]))
  const mail = (...sessions: string[]) =>
    noticeMessage(
      'sensitive_change',
      sessions.map((session) => ({ ...facts, change: 'rule_paused', session })),
      {
        links,
      },
    )
  const buttons = (html = '') => html.match(/class="button"/g) ?? []

  it('stands before what to do next, unless nothing can be done about the change', () => {
    const of = (change: string) => noticeMessage('sensitive_change', [{ ...facts, change, name: '' }]).text
    expect(of('rule_changed')).toContain('Then check your settings.')
    expect(of('rule_ended')).not.toContain('Then')
  })

  it('is the one button of a mail about what one session did', () => {
    for (const { text, html } of [mail('S1'), mail('S1', 'S1', 'S1')]) {
      expect(text.match(/not-me\?token=\w+/g)).toEqual(['not-me?token=S1'])
      expect(buttons(html)).toHaveLength(1)
    }
  })

  it('is a link below each change when several sessions made them', () => {
    const { text, html } = mail('S1', 'S2', 'S1')
    expect(text.match(/not-me\?token=\w+/g)).toEqual(['S1', 'S2', 'S1'].map((one) => `not-me?token=${one}`))
    expect(buttons(html)).toEqual([])
  })

  it('leads to the list of sessions when no link may end the session', () => {
    const { text } = mail('S3')
    expect(text).toContain(`This wasn't me (sign in first):\n\n${config().baseUrl}/security#sessions`)
  })

  it('stands below a subject that names the change, when there is one', () => {
    const change = { ...facts, change: 'agent_registered', name: 'Scout', session: 'S1' }
    expect(noticeMessage('sensitive_change', [change]).subject).toBe('The agent "Scout" was registered')
    const several = noticeMessage('sensitive_change', [change, change])
    expect(several.subject).toBe('Your account was changed')
    expect(several.text).toMatch(/^2 things changed in your account:\n/)
  })

  it('says when an approver is removed', () => {
    const { subject, text } = noticeMessage('sensitive_change', [
      { ...facts, change: 'approver_removal_requested' },
    ])
    expect(subject).toBe('Your approver will be removed in 24 hours')
    expect(text).toMatch(
      /^Somebody asked to remove your approver\. It is removed on 2027-01-03 03:04 UTC\.\n/,
    )
    expect(text).toContain('keep your approver on your security page.')
  })
})
