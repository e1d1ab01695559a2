/** The mails of a sign-up and a sign-in: the worker of `by-hand-accounts.mjs`. It writes them to the outbox folder of the Beak server. */
import { randomInt } from 'node:crypto'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountStatements as statements } from './by-hand-account-statements.mjs'
import { codeSent, inOrder } from './by-hand-events.mjs'
import {
  BEAK_ORIGIN,
  gathered,
  keyedHash,
  newToken,
  OUTBOX,
  pool,
  randomSecret,
  secondsAfter,
} from './by-hand-parts.mjs'

const run = (name, values) => pool.query({ name, text: statements[name], values })

/** What differs between two mails of a kind. */
const variables = {
  signup_code: [/(?<!\d)\d{6}(?!\d)/],
  signin_code: [/(?<!\d)\d{6}(?!\d)/],
  new_device: [/http\S+token=\S+/, /\d{4}-\d\d-\d\d \d\d:\d\d UTC/],
}

/** Returns a mail that Beak has sent, with `{0}`, `{1}` in place of what differs, so that both servers send the same texts. */
async function readTemplate(kind) {
  const names = (await readdir(OUTBOX)).filter((name) => name.endsWith('.json')).sort()
  for (const name of names.reverse()) {
    const mail = JSON.parse(await readFile(join(OUTBOX, name), 'utf8'))
    if (mail.kind !== kind) continue
    const found = variables[kind].map((pattern) => pattern.exec(mail.text)[0])
    const withSlots = (text) =>
      found.reduce((rest, value, index) => rest.replaceAll(value, `{${index}}`), text).split(/\{(\d)\}/)
    return { subject: mail.subject, text: withSlots(mail.text), html: withSlots(mail.html) }
  }
  throw new Error(`Beak has sent no mail of the kind ${kind}.`)
}

const templates = new Map()

async function sendMail(kind, to, values) {
  if (!templates.has(kind)) templates.set(kind, readTemplate(kind))
  const { subject, text, html } = await templates.get(kind)
  const fill = (parts) => parts.map((part, index) => (index % 2 === 0 ? part : values[part])).join('')
  const now = new Date().toISOString()
  const path = join(OUTBOX, `${now.replaceAll(/[:.]/g, '-')}-${randomSecret(5)}`)
  const mail = { kind, to, subject, text: fill(text), html: fill(html), created_at: now }
  await writeFile(`${path}.tmp`, `${JSON.stringify(mail, null, 2)}\n`, { mode: 0o600 })
  await rename(`${path}.tmp`, `${path}.json`)
}

const deleteQueued = gathered((ids) => run('deleteQueued', [ids]))

/** Stores the hashes of simultaneous codes in one statement, and then mails each code. */
const storeHashes = gathered(async (codes) => {
  const now = new Date()
  const resets = codes.flatMap(({ purpose, owner, network }) => [
    [`${owner}@${network}`, 'signin'],
    ...(purpose === 'signup' ? [[owner, 'verify_email']] : []),
  ])
  const { rows } = await run('storeHashes', [
    codes.map(({ id }) => id),
    codes.map(({ owner }) => owner),
    codes.map(({ id, owner, code }) => keyedHash('otp', `${id}:${owner}:${code}`)),
    secondsAfter(now, 600).toISOString(),
    resets.map(([subject]) => subject),
    resets.map(([, purpose]) => purpose),
    inOrder(codes.map(({ owner, purpose, requestId }) => codeSent(owner, purpose, requestId, now))),
  ])
  const stored = new Set(rows.map(({ owner }) => owner))
  for (const code of codes) code.isStored = stored.has(code.owner)
})

/**
 * Generates a code and mails it. `queued`: the id of its row in the outbox. Nothing is sent when no account has the address, and when the code
 * was spent or revoked.
 */
export async function sendCode({ queued, ...wanted }) {
  const code = { ...wanted, code: String(randomInt(1_000_000)).padStart(6, '0'), isStored: false }
  if (code.owner !== null) await storeHashes(code)
  if (code.isStored) await sendMail(`${code.purpose}_code`, code.address, [code.code])
  await deleteQueued(queued)
}

/** Mails the notice of a sign-in from a new device, with a link that ends the session. */
export async function sendNotice({ queued, owner, address, session }) {
  const now = new Date()
  const { id, token, secretHash } = newToken('LNK', now)
  const counted = keyedHash('subject', address).toString('base64url')
  const { rows } = await run('makeDisownLink', [
    id,
    secretHash,
    owner,
    address,
    session,
    now.toISOString(),
    counted,
  ])
  if (rows.length === 0) throw new Error('the session has ended, or the address got its mails of the day')
  const time = `${now.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  await sendMail('new_device', address, [`${BEAK_ORIGIN}/not-me?token=${token}`, time])
  await run('finishNotice', [owner, now.toISOString(), queued])
}
