import { generateKeyPairSync } from 'node:crypto'
import { formatVerifierKey, type SignatureType, verifierKey } from '@beak/proofs/log/verifier-key'
import { describe, expect, it } from 'vitest'
import { parseWitnesses } from './tlog-witnesses'

function aVkey(name: string, type: SignatureType = 'cosignature', x?: string): string {
  const own = String(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x)
  return formatVerifierKey(verifierKey(name, type, Buffer.from(x ?? own, 'base64url')))
}

function parse(value: string): { witnesses: [string, string, string][]; faults: string[] } {
  const faults: string[] = []
  const found = parseWitnesses(value, faults)
  return { witnesses: found.map(({ vkey, key, url }) => [vkey, key.name, url]), faults }
}

const first = aVkey('witness.example/w1')
const second = aVkey('user@witness.example:8081/w=2')

describe('TLOG_WITNESSES', () => {
  it('gives no witnesses when it is empty', () => {
    expect(parse('')).toEqual({ witnesses: [], faults: [] })
    expect(parse(' , \n')).toEqual({ witnesses: [], faults: [] })
  })

  it('splits entries at spaces, commas and newlines, and allows @ in names and URLs', () => {
    const expected = [
      [first, 'witness.example/w1', 'https://witness.example'],
      [second, 'user@witness.example:8081/w=2', 'http://127.0.0.1:8081/a@b'],
    ]
    for (const border of [' ', ',', ', ', '\n'])
      expect(parse(`${first}@https://witness.example/${border}${second}@http://127.0.0.1:8081/a@b/`)).toEqual(
        { witnesses: expected, faults: [] },
      )
  })

  it.each([
    ['no URL', first],
    ['an empty URL', `${first}@`],
    ['no vkey', 'https://witness.example'],
    ['a vkey with another id', `${first.replace(/\+[0-9a-f]{8}\+/, '+00000000+')}@https://witness.example`],
    ['the key of a log', `${aVkey('pond.example/tlog', 'ed25519')}@https://witness.example`],
    ['another scheme', `${first}@ftp://witness.example`],
    ['a URL without a scheme', `${first}@witness.example`],
    ['a password', `${first}@https://somebody:secret@witness.example`],
    ['a query', `${first}@https://witness.example/?a=b`],
    ['a fragment', `${first}@https://witness.example/#a`],
  ])('rejects an entry with %s', (_, entry) => {
    const { witnesses, faults } = parse(entry)
    expect([witnesses, faults]).toEqual([[], [expect.stringMatching(/^TLOG_WITNESSES: entry 1 (must|has)/)]])
    expect(faults.join()).not.toContain('secret')
  })

  it('rejects one key for two witnesses', () => {
    const x = Buffer.alloc(32, 9).toString('base64url')
    const [one, two] = [aVkey('w1', 'cosignature', x), aVkey('w2', 'cosignature', x)]
    const { witnesses, faults } = parse(`${one}@https://one.example ${two}@https://two.example`)
    expect([witnesses.length, faults]).toEqual([
      1,
      [expect.stringContaining('the same key as an earlier entry')],
    ])
  })
})
