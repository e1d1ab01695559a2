import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { mintBeakKey } from '@/lib/domain/agents/beak-key'
import { mintSecret } from '@/lib/domain/webhooks/secret'
import { mintToken } from '@/lib/kernel/secrets/secret-token'
import { randomSecret, sha256Hex } from '@/lib/kernel/secrets/secrets'
import { root } from '../prepare.mjs'
import { checkSecrets } from './secrets.mjs'

const now = new Date()
const { beakKey } = mintBeakKey(now)
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const { privateKey: rsaKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwk = privateKey.export({ format: 'jwk' })
const pem = String(privateKey.export({ format: 'pem', type: 'pkcs8' }))
const symmetric = { kty: 'oct', k: Buffer.from(randomSecret()).toString('base64url') }
const encrypted = { format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' } as const

const secrets: [string, string, string][] = [
  ['a beak key', beakKey, 'BeakKey'],
  ['a handshake', mintToken('handshake', now).token, 'BeakToken'],
  ['a device token', mintToken('device', now).token, 'BeakToken'],
  ['a webhook secret', mintSecret('WHK-1').shown, 'WebhookSecret'],
  ['the secret of the service', `BEAK_SECRET=${randomSecret()}`, 'ServiceSecret'],
  ['its previous secret in code', `BEAK_SECRET_PREVIOUS: '${randomSecret()}'`, 'ServiceSecret'],
  ['a private JWK', JSON.stringify(jwk), 'PrivateJwk'],
  ['a private JWK in code', `const key = { kty: 'OKP', d: '${jwk.d}' }`, 'PrivateJwk'],
  ['a private JWK in a string', JSON.stringify({ key: JSON.stringify(jwk) }), 'PrivateJwk'],
  ['a symmetric JWK', JSON.stringify(symmetric), 'SymmetricJwk'],
  ['a private key in PEM', `key:\n${pem}`, 'PemPrivateKey'],
  ['a private key in PEM in a string', JSON.stringify({ pem }), 'PemPrivateKey'],
  ['an RSA key in PEM', String(rsaKey.export({ format: 'pem', type: 'pkcs1' })), 'PemPrivateKey'],
  ['an encrypted key in PEM', String(rsaKey.export(encrypted)), 'PemPrivateKey'],
  [
    'a signer key of signed notes',
    `PRIVATE+KEY+beak.example+0a1b2c3d+${Buffer.alloc(33, 7).toString('base64')}`,
    'NoteSignerKey',
  ],
  ['a token of another service', `ghp${'_'}wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx`, 'GITHUB_TOKEN'],
  [
    'a secret below a comment that turns rules off',
    `// secretlint${'-'}disable\n${beakKey}`,
    'CommentThatDisables',
  ],
  [
    'a secret beside a comment that turns rules off',
    `first\n${beakKey} // secretlint${'-'}disable-line\nlast`,
    'CommentThatDisables',
  ],
]

const harmless: [string, string][] = [
  ['a beak key with a wrong checksum', `${beakKey.slice(0, -1)}${beakKey.endsWith('0') ? '1' : '0'}`],
  ['placeholders', 'beak_… beak_KEY-01J_SECRET whsec_… whsec_c2hvcnQ= BEAK_SECRET=…'],
  ['ids and digests', `${mintToken('sso', now).id} ${sha256Hex('x')}`],
  ['a public JWK', JSON.stringify(publicKey.export({ format: 'jwk' }))],
  ['a public key in PEM', String(publicKey.export({ format: 'pem', type: 'spki' }))],
  ['the name of a PEM form', "pem.startsWith('-----BEGIN PRIVATE KEY-----')"],
]

describe('checkSecrets', () => {
  // Inside the repository, because secretlint reads its configuration and .gitignore from there.
  const folder = mkdtempSync(join(root, 'scripts', 'supply', 'secrets-test-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  const place = (name: string) => join(folder, `${name.replaceAll(' ', '-')}.txt`)
  const scan = () => checkSecrets(`${relative(root, folder)}/**/*`)

  it(`accepts ${harmless.map(([name]) => name).join(', ')}`, async () => {
    for (const [name, text] of harmless) writeFileSync(place(name), text)
    expect(await scan()).toMatchObject({ failed: false })
  })

  // security: supply-7
  it(`finds ${secrets.map(([name]) => name).join(', ')}, and prints none of them`, async () => {
    for (const [name, text] of secrets) writeFileSync(place(name), text)
    mkdirSync(join(folder, 'build'))
    writeFileSync(join(folder, 'build', 'ignored.txt'), beakKey)
    const { failed, lines } = await scan()
    expect(failed).toBe(true)
    const blocks = lines.join('\n').split(/\n(?=\/)/)
    for (const [name, , rule] of secrets)
      expect(blocks.find((block) => block.includes(place(name)))).toContain(rule)
    for (const hidden of ['ignored.txt', beakKey, jwk.d, ...harmless.map(([name]) => place(name))])
      expect(lines.join('\n')).not.toContain(hidden)
  })
})
