/** What all of `by-hand.mjs` uses: the database, the keys of the Beak server, ids, tokens, and the credentials of a request. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  hkdfSync,
  randomBytes,
  sign,
} from 'node:crypto'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import pg from 'pg'

export const { BEAK_ORIGIN, BEAK_SECRET, DATABASE_URL, OUTBOX, PORT } = process.env

export const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: 10,
  pipeline: true,
  options:
    '-c TimeZone=UTC -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c random_page_cost=1.1 -c plan_cache_mode=force_generic_plan -c jit=off',
})

/** Sends statements of one connection together, in one write to the socket. Throws when one of them fails. */
async function together(client, queries) {
  const { stream } = client.connection
  stream.cork()
  const answers = queries.map((query) => client.query(query))
  process.nextTick(() => stream.uncork())
  const settled = await Promise.allSettled(answers)
  const failed = settled.find(({ status }) => status === 'rejected')
  if (failed) throw failed.reason
  return settled.map(({ value }) => value.rows)
}

/** Runs a transaction in one round trip. Returns the rows of each statement. */
export async function commit(...queries) {
  const client = await pool.connect()
  try {
    return (await together(client, ['BEGIN', ...queries, 'COMMIT'])).slice(1, -1)
  } finally {
    client.release()
  }
}

/**
 * Runs a transaction in two round trips. `decide` gets the rows of each statement of the first one, and returns the statements of the second
 * one. It returns none to keep what the first one has written.
 */
export async function commitTwice(queries, decide) {
  const client = await pool.connect()
  try {
    const [, ...rows] = await together(client, ['BEGIN', ...queries])
    return (await together(client, [...decide(...rows), 'COMMIT'])).slice(0, -1)
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
}

/** Returns a function that makes a query of a statement's name and its values. */
export const preparedIn = (statements) => (name, values) => ({ name, text: statements[name], values })

/** Collects the items that arrive while `run` works on earlier ones, and passes them to the next run together. Each waits for its own run only. */
export function gathered(run) {
  let batch = null
  let earlier = Promise.resolve()
  return (item) => {
    if (batch === null) {
      const items = []
      const done = earlier.then(() => {
        batch = null
        return run(items)
      })
      batch = { items, done }
      earlier = done.catch(() => undefined)
    }
    batch.items.push(item)
    return batch.done
  }
}

/** Returns the JSON body of a request. */
export async function bodyOf(request) {
  request.setEncoding('utf8')
  const text = await new Promise((resolve, reject) => {
    let read = ''
    request.on('data', (chunk) => {
      read += chunk
    })
    request.on('end', () => resolve(read)).on('error', reject)
  })
  return JSON.parse(text)
}

export const sha256 = (value) => createHash('sha256').update(value).digest()
export const secondsAfter = (now, seconds) => new Date(now.getTime() + seconds * 1000)
export const numericDate = (date) => Math.floor(date.getTime() / 1000)

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function base32(bytes) {
  let [text, buffer, bits] = ['', 0, 0]
  for (const byte of bytes) {
    buffer = ((buffer & 31) << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += alphabet[(buffer >>> (bits - 5)) & 31]
  }
  return bits > 0 ? text + alphabet[(buffer << (5 - bits)) & 31] : text
}

export const randomSecret = (bytes) => base32(randomBytes(bytes))

/** Returns an id: 48 bits of time and 80 random bits. */
export function newId(prefix, now) {
  let [time, rest] = ['', now.getTime()]
  for (let place = 0; place < 10; place++) {
    time = alphabet[rest % 32] + time
    rest = Math.floor(rest / 32)
  }
  return `${prefix}-${time}${randomSecret(10)}`
}

/** Returns a token of an id and a secret, and the digest of the secret. */
export function newToken(prefix, now) {
  const [id, secret] = [newId(prefix, now), randomSecret(32)]
  return { id, token: `${id}${secret}`, secretHash: sha256(secret) }
}

const derived = (purpose) => Buffer.from(hkdfSync('sha256', BEAK_SECRET, 'beak', `beak/${purpose}/v1`, 32))
const derivedKeys = { otp: derived('otp'), store: derived('store'), subject: derived('subject') }

export const keyedHash = (purpose, text) => createHmac('sha256', derivedKeys[purpose]).update(text).digest()

export function seal(plain, label) {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', derivedKeys.store, nonce).setAAD(Buffer.from(label))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

export function unseal(sealed, label) {
  const decipher = createDecipheriv('aes-256-gcm', derivedKeys.store, sealed.subarray(0, 12))
  decipher.setAAD(Buffer.from(label)).setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
}

const { rows: signingKeys } = await pool.query(
  `SELECT "kid", "privateKey" FROM "SigningKey" WHERE "purpose" = 'token' AND "privateKey" IS NOT NULL AND "distrustedAt" IS NULL`,
)
export const { kid } = signingKeys[0]
const privateKey = createPrivateKey({
  key: unseal(signingKeys[0].privateKey, kid),
  format: 'der',
  type: 'pkcs8',
})

const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const starts = new Map()

/** Signs claims with the key of the Beak server, so that this server and Beak accept the tokens of each other. */
export function signToken(typ, claims) {
  if (!starts.has(typ)) starts.set(typ, encode({ alg: 'EdDSA', typ, kid }))
  const body = `${starts.get(typ)}.${encode({ iss: BEAK_ORIGIN, aud: BEAK_ORIGIN, ...claims })}`
  return `${body}.${sign(null, Buffer.from(body), privateKey).toString('base64url')}`
}

const keys = createRemoteJWKSet(new URL(`${BEAK_ORIGIN}/.well-known/jwks.json`))
const checked = new Map()
const checkedMax = 50_000

/** Remembers a token that this server has signed or verified. */
export function rememberToken(digest, owner, session) {
  if (checked.size >= checkedMax) checked.clear()
  checked.set(digest.toString('base64'), [owner, session])
}

/** Returns the owner, the session and the digest of a token. Verifies each token once. */
export async function sessionOf(request) {
  const token = (request.headers.authorization ?? '').replace('Bearer ', '')
  const digest = sha256(token)
  const known = checked.get(digest.toString('base64'))
  if (known) return [...known, digest]
  const { payload } = await jwtVerify(token, keys, { issuer: BEAK_ORIGIN, algorithms: ['EdDSA'] })
  rememberToken(digest, payload.sub, payload.sid)
  return [payload.sub, payload.sid, digest]
}

/** Returns the id of a beak key and the digest of its secret. */
export function keyOf(request) {
  const key = request.headers['x-beak-key']
  const [, keyId, secret] = /^beak_(KEY-[0-9A-Z]{26})_([0-9A-Z]{52})[0-9A-Z]{7}$/.exec(key)
  return [keyId, sha256(secret)]
}

const seen = { session: new Map(), agent: new Map(), key: new Map() }
const places = {
  session: ['Session', 'lastSeenAt'],
  agent: ['Agent', 'lastSeenAt'],
  key: ['BeakKey', 'lastUsedAt'],
}

/** Records a use. Written every two seconds, for each row at most once a minute, as Beak does. */
export function recordSeen(kind, id, at) {
  const known = seen[kind].get(id)
  if (known) known.at = at
  else seen[kind].set(id, { at, writtenAt: 0 })
}

async function writeSeen(kind) {
  const due = []
  for (const [id, entry] of seen[kind]) {
    if (Date.now() - entry.writtenAt < 60_000) continue
    if (entry.writtenAt === entry.at.getTime()) seen[kind].delete(id)
    else due.push({ id, at: entry.at.toISOString(), entry })
  }
  if (due.length === 0) return
  for (const { entry } of due) entry.writtenAt = entry.at.getTime()
  const [table, column] = places[kind]
  await pool.query({
    name: `seen ${kind}`,
    text: `UPDATE "${table}" t SET "${column}" = v."at" FROM unnest($1::text[], $2::timestamptz[]) AS v ("id", "at")
      WHERE t."id" = v."id" AND (t."${column}" IS NULL OR t."${column}" < v."at")`,
    values: [due.map(({ id }) => id), due.map(({ at }) => at)],
  })
}

setInterval(() => {
  for (const kind of Object.keys(seen))
    writeSeen(kind).catch((error) => process.stdout.write(`${error.stack}\n`))
}, 2_000).unref()
