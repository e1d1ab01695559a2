import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { formatCheckpoint, parseCheckpoint } from '@beak/proofs/log/checkpoint'
import { openNote, parseNote, parseSignatureLine } from '@beak/proofs/log/note'
import {
  formatVerifierKey,
  parseVerifierKey,
  type SignatureType,
  type VerifierKey,
  verifierKey,
} from '@beak/proofs/log/verifier-key'
import { describe, expect, it } from 'vitest'
import { cosignNote, signNote } from './sign-note'

function aKey(name: string, type: SignatureType = 'ed25519'): { key: VerifierKey; privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const x = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url')
  return { key: verifierKey(name, type, x), privateKey }
}

const text = 'pond.example/tlog\n42\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'

const open = async (note: string, keys: VerifierKey[]) => {
  const parsed = parseNote(note)
  return parsed === null ? 'malformed' : openNote(parsed, keys)
}

describe('verifier keys', () => {
  it('can be formatted and parsed back, for both kinds of signature', () => {
    for (const type of ['ed25519', 'cosignature'] as const) {
      const { key } = aKey('pond.example/tlog', type)
      expect(parseVerifierKey(formatVerifierKey(key))).toEqual(key)
    }
  })

  it('include the published key of the Go checksum database', () => {
    // Built into every Go toolchain: cmd/go/internal/modfetch/key.go.
    const published = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8'
    expect(parseVerifierKey(published)).toMatchObject({
      name: 'sum.golang.org',
      id: '033de0ae',
      type: 'ed25519',
    })
  })

  it('reject the id of another key, an unknown type, a short key and a name with a space', () => {
    const good = formatVerifierKey(aKey('pond.example').key)
    const [name = '', id = '', encoded = ''] = good.split('+')
    const rest = good.slice(name.length + id.length + 2)
    const typed = Buffer.from(encoded === rest ? encoded : rest, 'base64')
    expect(parseVerifierKey(`${name}+00000000+${rest}`)).toBeNull()
    expect(parseVerifierKey(`other+${id}+${rest}`)).toBeNull()
    expect(parseVerifierKey(`${name}+${id}+${typed.subarray(0, -1).toString('base64')}`)).toBeNull()
    expect(
      parseVerifierKey(
        `${name}+${id}+${Buffer.concat([Buffer.from([2]), typed.subarray(1)]).toString('base64')}`,
      ),
    ).toBeNull()
    expect(parseVerifierKey(`two words+${id}+${rest}`)).toBeNull()
    for (const wrong of ['', 'a', 'a+b', 'a+b+c']) expect(parseVerifierKey(wrong)).toBeNull()
  })
})

describe('a signed note', () => {
  const log = aKey('pond.example/tlog')
  const note = `${text}\n${signNote(text, log.key, log.privateKey)}`

  it('can be opened with the key that signed it', async () => {
    expect(await open(note, [log.key])).toEqual([{ key: log.key, time: null }])
  })

  it('is rejected when any character of its text is changed', async () => {
    for (let place = 0; place < text.length - 1; place++) {
      const changed = note.charAt(place) === 'A' ? 'B' : 'A'
      const tampered = note.slice(0, place) + changed + note.slice(place + 1)
      expect(await open(tampered, [log.key]), `at ${place}`).not.toEqual([{ key: log.key, time: null }])
    }
  })

  it('is rejected when only unknown keys signed it', async () => {
    expect(await open(note, [aKey('pond.example/tlog').key])).toBeNull()
    expect(await open(note, [])).toBeNull()
  })

  it('may have lines of unknown keys, which are ignored', async () => {
    const other = aKey('other.example')
    const both = `${note}${signNote('another text\n', other.key, other.privateKey)}`
    expect(await open(both, [log.key])).toEqual([{ key: log.key, time: null }])
  })

  it('may have 16 signatures of unknown quantum-safe keys', async () => {
    const others = Array.from({ length: 16 }, (_, at) => {
      const signature = Buffer.alloc(4 + 4627, at).toString('base64')
      return `\u2014 witness-${at}.example/a-name-of-usual-length ${signature}\n`
    })
    expect(await open(note + others.join(''), [log.key])).toEqual([{ key: log.key, time: null }])
  })

  it('is rejected when the line of a known key is not valid', async () => {
    const other = aKey('other.example')
    const both = `${note}${signNote('another text\n', other.key, other.privateKey)}`
    expect(await open(both, [log.key, other.key])).toBeNull()
  })

  it.each([
    ['no signature', text],
    ['no empty line', note.replace('\n\n', '\n')],
    ['no newline at the end', note.slice(0, -1)],
    ['a control character', note.replace('42', '4\u00012')],
    ['a carriage return', note.replaceAll('\n', '\r\n')],
    ['a hyphen for the dash', note.replace('\u2014', '-')],
    ['a signature that is not base64', note.replace(/ \S+\n$/, ' ***\n')],
    ['65 signatures', `${text}\n${signNote(text, log.key, log.privateKey).repeat(65)}`],
  ])('is malformed with %s', async (_, wrong) => {
    expect(await open(wrong, [log.key])).toBe('malformed')
  })
})

describe('a cosignature', () => {
  const witness = aKey('witness.example/w1', 'cosignature')
  const line = cosignNote(text, witness.key, witness.privateKey, 1_679_315_147)

  it('has the time when it was made', async () => {
    expect(await open(`${text}\n${line}`, [witness.key])).toEqual([{ key: witness.key, time: 1_679_315_147 }])
  })

  it('is not valid for another text or another time', async () => {
    expect(await open(`${text.replace('42', '43')}\n${line}`, [witness.key])).toBeNull()
    const bytes = parseSignatureLine(line.slice(0, -1))?.signature ?? Buffer.alloc(0)
    bytes[7] = (bytes[7] ?? 0) ^ 1
    const encoded = Buffer.concat([Buffer.from(witness.key.id, 'hex'), bytes]).toString('base64')
    expect(await open(`${text}\n\u2014 ${witness.key.name} ${encoded}\n`, [witness.key])).toBeNull()
  })

  it('is not accepted as a plain signature, nor a plain signature as a cosignature', async () => {
    const plain = { ...witness.key, type: 'ed25519' as const }
    expect(await open(`${text}\n${line}`, [plain])).toBeNull()
    expect(await open(`${text}\n${signNote(text, plain, witness.privateKey)}`, [witness.key])).toBeNull()
  })
})

describe('parseCheckpoint', () => {
  it('reads the output of formatCheckpoint, and ignores extension lines', () => {
    const checkpoint = { origin: 'pond.example/tlog', size: 42, root: new Uint8Array(32).fill(7) }
    expect(parseCheckpoint(formatCheckpoint(checkpoint))).toEqual(checkpoint)
    expect(parseCheckpoint(`${formatCheckpoint(checkpoint)}more\n`)).toEqual(checkpoint)
  })

  it.each([
    '\n42\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n',
    'o\n042\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n',
    'o\n-1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n',
    'o\n42\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I\n',
    'o\n42\nCsUYapGGPo4dkMgI\n',
    'o\n42\n',
    'o\n42\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=',
    'o\n42\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n',
    'o\n99999999999999999999\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n',
  ])('refuses %j', (wrong) => {
    expect(parseCheckpoint(wrong)).toBeNull()
  })
})
