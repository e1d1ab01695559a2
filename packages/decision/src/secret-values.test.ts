import { describe, expect, it } from 'vitest'
import { hasSecret, hiddenSecret, isSecretName, withoutSecrets } from './secret-values'

describe('isSecretName', () => {
  it.each(
    'password newPassword pin PIN cvv CVC passcode pwd otp Authorization X-Api-Key apiKey access_token session_id refreshToken clientSecret credentials ssh_key recovery_codes Kennwort contraseña senha'.split(
      ' ',
    ),
  )('counts %s', (name) => {
    expect(isSecretName(name)).toBe(true)
  })

  it.each(
    'to pinned spinner opinion author token_count password_policy pin_length secretary key title'.split(' '),
  )('does not count %s', (name) => {
    expect(isSecretName(name)).toBe(false)
  })
})

describe('withoutSecrets', () => {
  // security: agent-10
  it('hides secrets at any depth and of any type, and nothing beside them', () => {
    const params = {
      pin: 4711,
      login: { user: 'anna', passwords: ['swan', { old: 'duck' }] },
      headers: [{ Authorization: 'Basic YW5uYTpzd2Fu' }],
      empty: { password: '' },
      enabled: { otp: true },
    }
    expect(withoutSecrets('', params)).toEqual({
      pin: hiddenSecret,
      login: { user: 'anna', passwords: [hiddenSecret, { old: hiddenSecret }] },
      headers: [{ Authorization: hiddenSecret }],
      empty: { password: '' },
      enabled: { otp: true },
    })
  })

  it.each([
    ['the card 4111 1111 1111 1111 please', `the card ${hiddenSecret} please`],
    ['use sk_live_abcdefghij0123 now', `use ${hiddenSecret} now`],
    ['hf_abcdefghijklmnopqrstuvwxyz0123456789', hiddenSecret],
    ['Bearer abcdefghijklmnop', hiddenSecret],
    ['eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJkdWNrIn0.c2lnbmF0dXJl', hiddenSecret],
    ['-----BEGIN PRIVATE KEY-----\nMC4CAQ\n-----END PRIVATE KEY-----', hiddenSecret],
    ['amqp://anna:swan@mq.example/shop', `${hiddenSecret}mq.example/shop`],
    ['AWS_SECRET_ACCESS_KEY=q8Zt0Vw3Lk7Yp', hiddenSecret],
    ['My password is Tulip-88!', `My ${hiddenSecret}`],
  ])('hides the part of %j that has the form of a secret', (text, shown) => {
    expect(withoutSecrets('note', text)).toBe(shown)
    expect(hasSecret('note', text)).toBe(true)
  })

  it.each([
    'RX1234567890123DE',
    '4111 1111 1111 1112',
    '+49 151 23456789',
    'The password is required',
    1764000000000,
  ])('leaves %j', (value) => {
    expect(hasSecret('note', value)).toBe(false)
  })

  it('takes no longer for a text that is made to be slow', () => {
    const text = `${'A_'.repeat(1000)}${'4 '.repeat(1000)}`
    expect(withoutSecrets('note', text)).toBe(text)
  })
})
