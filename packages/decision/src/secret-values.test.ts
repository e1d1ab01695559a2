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

/** Returns digits with a last one more, so that the check digit of a card is right. */
const withCheckDigit = (digits: string): string => {
  let sum = 0
  for (const [place, digit] of [...digits].reverse().entries()) {
    const doubled = place % 2 === 0 ? Number(digit) * 2 : Number(digit)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return `${digits}${(10 - (sum % 10)) % 10}`
}

describe('a telephone number with the check digit of a card', () => {
  // The code of a country with the first digits of a number there, and how many digits the whole number has.
  const countries =
    '49151:13 49160:12 49171:14 4366:13 4368:14 39333:12 39335:13 34612:11 33612:11 447911:12 4176:11 31612:11 3247:11 35850:13 352621:12 55119:13 5215:13 54911:13 57300:12 6281:13 6285:14 63917:12 6591:10 60123:12 66812:11 23480:13 22507:13 25471:12 27821:11 20100:12 21261:12 38067:12 37529:12 36201:11 3069:12 385911:12 61412:11 6421:12 599:15'
  const numbers = countries.split(' ').flatMap((country) => {
    const [start = '', length = ''] = country.split(':')
    const places = Number(length) - start.length - 1
    return [1, 2345, 76543, 918273, 5550199].map((seed) =>
      withCheckDigit(
        `${start}${String(seed * 7919)
          .padStart(places, '3')
          .slice(-places)}`,
      ),
    )
  })

  it.each(['to', 'note', 'phone_number', 'text'])('is shown with its "+" in %s', (name) => {
    for (const digits of numbers)
      for (const phone of [`+${digits}`, `+${digits.slice(0, 2)} ${digits.slice(2, 5)} ${digits.slice(5)}`]) {
        expect([phone, hasSecret(name, phone)]).toEqual([phone, false])
        expect(hasSecret(name, `Call ${phone} today`)).toBe(false)
        expect(withoutSecrets('', { [name]: [phone] })).toEqual({ [name]: [phone] })
      }
  })

  it.each(['to', 'recipients', 'phoneNumber', 'Telefon', 'whatsapp_to'])(
    'is shown without "+" in %s, which names one',
    (name) => {
      for (const digits of numbers) expect([digits, hasSecret(name, Number(digits))]).toEqual([digits, false])
    },
  )
})

describe('the number of a card', () => {
  // Numbers for tests of Visa, Mastercard (also the new ones), American Express, Diners Club, Discover, JCB, Maestro and UnionPay.
  const cards = [
    '4111 1111 1111 1111',
    '4242-4242-4242-4242',
    '5555555555554444',
    '2223003122003222',
    '3782 822463 10005',
    '371449635398431',
    '30569309025904',
    '36227206271667',
    '38520000023237',
    '6011111111111117',
    '3530111333300000',
    '6759649826438453',
    '6200000000000005',
  ]

  it.each(cards)('%s is hidden wherever it stands, behind "+" and as a recipient, too', (card) => {
    for (const name of ['note', 'number', 'to', 'phone'])
      for (const text of [card, `+${card}`, `Pay with ${card}, please`])
        expect([name, text, String(withoutSecrets(name, text)).includes(card)]).toEqual([name, text, false])
  })

  it('of 13 digits is hidden in texts and in params that name no telephone', () => {
    expect(hasSecret('note', 'my card 4222222222222')).toBe(true)
    expect(hasSecret('number', '4222222222222')).toBe(true)
  })
})
