import { describe, expect, it } from 'vitest'
import { readUrl } from './read-url'

const hostOf = (text: string) => readUrl(text)?.host

describe('readUrl', () => {
  it.each([
    ['https://pond.example/pulls/12?tab=files', 'pond.example'],
    ['https://pond.example', 'pond.example'],
    ['https://bank.example@evil.example/login', 'evil.example'],
    ['https://a@bank.example@evil.example/', 'evil.example'],
    ['https://good.example\\@evil.example', 'good.example'],
    ['https://good.example#@evil.example', 'good.example'],
    ['https://pond.example:8443/x', 'pond.example'],
    ['s3://bucket/key', 'bucket'],
  ])('finds the host of %s', (text, host) => {
    expect(hostOf(text)).toBe(host)
  })

  it('returns parts that join to the original text', () => {
    const text = 'https://user@pond.example:8443/a?b=c#d'
    const url = readUrl(text)
    expect(`${url?.before}${url?.host}${url?.after}`).toBe(text)
  })

  it('says which host a browser opens when it is written in another way, however often', () => {
    for (let time = 0; time < 10_000; time++) readUrl('https://pönd.example/')
    expect(readUrl('https://pönd.example/')?.opens).toBe('xn--pnd-sna.example')
    expect(readUrl('https://0x7f.1/')?.opens).toBe('127.0.0.1')
    expect(readUrl('https://Pond.example/')?.opens).toBeNull()
  })

  it('returns null for a text without a host', () => {
    expect(readUrl('mailto:anna@pond.example')).toBeNull()
    expect(readUrl('file:///etc/passwd')).toBeNull()
  })
})
