import { describe, expect, it } from 'vitest'
import type { NoticeName } from '@/lib/infrastructure/events/outbox'
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
    expect(rest.at(-1)).toMatch(/^[A-Z].{15,}\.$/)
    expect(`${subject}\n${text}`).not.toMatch(/evil|https?:|undefined|an unknown time/)
    expect(text).not.toMatch(/T\d\d:/)
  })

  it.each(kinds)('counts several events: %s', (kind) => {
    const { text } = noticeMessage(kind, [facts, facts], { count: 9 })
    expect(text).toMatch(/^This happened 9 times. The first 2:\n\n1\. .*\n\n2\. /)
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
  expect(noticeMessage('key_rotated', [], { count: 3 }).text).toMatch(/^This happened 3 times\.\n\nIf /)
})
