import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { mintBeakKey } from '@/lib/domain/agents/beak-key'
import { mintSecret } from '@/lib/domain/webhooks/secret'
import { mintToken } from '@/lib/kernel/secret-token'
import { randomSecret, sha256Hex } from '@/lib/kernel/secrets'
import { checkSecrets, judgeSecrets, scanText } from './secrets.mjs'

const now = new Date()
const { beakKey } = mintBeakKey(now)
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const { privateKey: rsaKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwk = privateKey.export({ format: 'jwk' })
const pem = String(privateKey.export({ format: 'pem', type: 'pkcs8' }))
const symmetric = { kty: 'oct', k: Buffer.from(randomSecret()).toString('base64url') }
const rulesOf = async (content: string) => (await scanText('file.txt', content)).map(({ rule }) => rule)

describe('scanText', () => {
  it.each([
    ['a beak key', beakKey, 'beak/BeakKey'],
    ['a handshake', mintToken('handshake', now).token, 'beak/BeakToken'],
    ['a device token', mintToken('device', now).token, 'beak/BeakToken'],
    ['a webhook secret', mintSecret('WHK-1').shown, 'beak/WebhookSecret'],
    ['the secret of the service', `BEAK_SECRET=${randomSecret()}`, 'beak/ServiceSecret'],
    ['its previous secret in code', `BEAK_SECRET_PREVIOUS: '${randomSecret()}'`, 'beak/ServiceSecret'],
    ['a private JWK', JSON.stringify(jwk), 'beak/PrivateJwk'],
    ['a private JWK in code', `const key = { kty: 'OKP', d: '${jwk.d}' }`, 'beak/PrivateJwk'],
    ['a private JWK in a string', JSON.stringify({ key: JSON.stringify(jwk) }), 'beak/PrivateJwk'],
    ['a symmetric JWK', JSON.stringify(symmetric), 'beak/SymmetricJwk'],
    ['a private key in PEM', `key:\n${pem}`, 'beak/PemPrivateKey'],
    ['a private key in PEM in a string', JSON.stringify({ pem }), 'beak/PemPrivateKey'],
    ['an RSA key in PEM', rsaKey.export({ format: 'pem', type: 'pkcs1' }), 'beak/PemPrivateKey'],
    [
      'an encrypted key in PEM',
      rsaKey.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' }),
      'beak/PemPrivateKey',
    ],
    [
      'a signer key of signed notes',
      `PRIVATE+KEY+beak.example+0a1b2c3d+${Buffer.alloc(33, 7).toString('base64')}`,
      'beak/NoteSignerKey',
    ],
    ['a token of another service', `ghp${'_'}wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx`, 'github/GITHUB_TOKEN'],
  ])('finds %s once', async (_, secret, rule) => {
    expect(await rulesOf(`first line\n const x = "${secret}"\n`)).toEqual([rule])
  })

  it.each([
    ['a beak key with a wrong checksum', `${beakKey.slice(0, -1)}${beakKey.endsWith('0') ? '1' : '0'}`],
    ['placeholders', 'beak_… beak_KEY-01J_SECRET whsec_… whsec_c2hvcnQ= BEAK_SECRET=…'],
    ['ids and digests', `${mintToken('sso', now).id} ${sha256Hex('x')}`],
    ['a public JWK', JSON.stringify(publicKey.export({ format: 'jwk' }))],
    ['a public key in PEM', publicKey.export({ format: 'pem', type: 'spki' })],
    ['the name of a PEM form', "pem.startsWith('-----BEGIN PRIVATE KEY-----')"],
  ])('accepts %s', async (_, content) => {
    expect(await rulesOf(String(content))).toEqual([])
  })

  it('finds a secret below a comment that turns secretlint off', async () => {
    expect(await rulesOf(`// secretlint-disable\n${beakKey}`)).toEqual(['beak/BeakKey'])
  })

  it('leaves no marks of secretlint’s profiler, which slows down with each of them', async () => {
    const marks = performance.getEntriesByType('mark').length
    await scanText('file.txt', 'text')
    expect(performance.getEntriesByType('mark')).toHaveLength(marks)
  })

  it('returns place and digest of the secret, and not the secret', async () => {
    const findings = await scanText('file.txt', `one\ntwo ${beakKey} three`)
    expect(findings).toEqual([
      { file: 'file.txt', line: 2, rule: 'beak/BeakKey', sha256: sha256Hex(beakKey) },
    ])
  })
})

describe('judgeSecrets', () => {
  const finding = { file: 'a.ts', line: 3, rule: 'beak/BeakKey', sha256: 'aa' }
  const entry = { file: 'a.ts', sha256: 'aa', reason: 'Test key.' }

  it('passes in one line when every finding is listed', () => {
    expect(judgeSecrets({ findings: [finding], allowed: [entry], count: 2 })).toEqual({
      failed: false,
      lines: ['No secret in 2 files. 1 look-alikes are listed.'],
    })
  })

  it.each([
    ['a finding is not listed', [finding], [], 'a.ts:3: beak/BeakKey, SHA-256 aa'],
    ['only another file is listed', [finding], [{ ...entry, file: 'b.ts' }], 'a.ts:3: beak/BeakKey'],
    ['only another text is listed', [finding], [{ ...entry, sha256: 'bb' }], 'a.ts:3: beak/BeakKey'],
    ['a listed text is gone', [], [entry], 'a.ts no longer has the text aa. Remove the entry.'],
    ['an entry has no reason', [finding], [{ ...entry, reason: '' }], 'a.ts aa has no reason.'],
  ])('fails when %s', (_, findings, allowed, line) => {
    const { failed, lines } = judgeSecrets({ findings, allowed, count: 1 })
    expect(failed).toBe(true)
    expect(lines[0]).toContain(line)
  })
})

describe('checkSecrets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'beak-secrets-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('finds a secret in text and binary files, and not in ignored ones', async () => {
    mkdirSync(join(folder, 'scripts/supply'), { recursive: true })
    writeFileSync(join(folder, 'scripts/supply/allowed-secrets.json'), '[]')
    writeFileSync(join(folder, '.gitignore'), '.env\n')
    writeFileSync(join(folder, '.env'), beakKey)
    expect(await checkSecrets(folder)).toMatchObject({ failed: false })
    writeFileSync(join(folder, 'notes.md'), `Use ${beakKey}.`)
    writeFileSync(join(folder, 'image.png'), Buffer.concat([Buffer.from([0, 255]), Buffer.from(pem)]))
    const { failed, lines } = await checkSecrets(folder)
    expect(failed).toBe(true)
    expect(lines.slice(0, -1)).toEqual([
      expect.stringMatching(/^image\.png:1: beak\/PemPrivateKey, /),
      `notes.md:1: beak/BeakKey, SHA-256 ${sha256Hex(beakKey)}`,
    ])
    expect(lines.join()).not.toContain(beakKey)
  })
})
