/** Sign-up and sign-in by mailed codes, written by hand. They leave the rows that Beak leaves. */
import { timingSafeEqual } from 'node:crypto'
import { accountStatements as statements } from './by-hand-account-statements.mjs'
import { actorOf, event, inOrder } from './by-hand-events.mjs'
import { sendCode, sendNotice } from './by-hand-mails.mjs'
import {
  bodyOf,
  commit,
  commitTwice,
  keyedHash,
  kid,
  newId,
  newToken,
  numericDate,
  preparedIn,
  randomSecret,
  recordSeen,
  rememberToken,
  secondsAfter,
  sessionOf,
  sha256,
  signToken,
} from './by-hand-parts.mjs'

const run = preparedIn(statements)
const claimSeconds = 10
const networks = new Map()

/** Returns the key of the network of a client: the keyed hash of its address block. */
function networkOf(ip) {
  const block = ip.includes(':') ? ip : `${ip.split('.').slice(0, 3).join('.')}.0/24`
  if (!networks.has(block)) networks.set(block, keyedHash('subject', block).toString('base64url'))
  return networks.get(block)
}

/** The work that goes on after the answer. */
const later = (work) => work.catch((error) => process.stdout.write(`${error.stack}\n`))

/** Returns the token of a new session, and what its row has. */
function newSession(id, owner, tier, amr, now) {
  const expiresAt = secondsAfter(now, 86_400)
  expiresAt.setUTCMilliseconds(0)
  const iat = numericDate(now)
  const exp = numericDate(expiresAt)
  const jti = randomSecret(10)
  const token = signToken('at+jwt', {
    sub: owner,
    sid: id,
    jti,
    iat,
    exp,
    auth_time: iat,
    amr,
    trust_tier: tier,
  })
  return { token, tokenHash: sha256(token), expiresAt: expiresAt.toISOString() }
}

/** Returns the event of a new session. */
function sessionStarted(owner, session, amr, about, now) {
  return event('session.started', owner, now, {
    about,
    actor: actorOf('duckling', owner),
    metadata: `{"amr":${JSON.stringify(amr)}}`,
    targets: [['session', session]],
    isRequired: true,
  })
}

/** Returns the first parameters of the two statements that create a code, and what `sendCode` needs. */
function newCode(purpose, address, { ip, requestId }, now) {
  const [id, network] = [newId('OTP', now), networkOf(ip)]
  const payload = JSON.stringify({ otp_id: id, request_id: requestId })
  const claimedUntil = secondsAfter(now, claimSeconds).toISOString()
  return {
    values: [address, network, now.toISOString(), id, payload, claimedUntil],
    wanted: { id, purpose, address, network, requestId },
  }
}

async function signUp(request, about) {
  const { email, display_name: name } = await bodyOf(request)
  if (!/^[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(email) || !/^\w{3,40}$/.test(name))
    throw new Error('not a sign-up')
  const now = new Date()
  const [id, sessionId] = [newId('DUCK', now), newId('SES', now)]
  const { token, tokenHash, expiresAt } = newSession(sessionId, id, 'T0', [], now)
  const registered = event('duckling.registered', id, now, {
    about,
    actor: actorOf('duckling', id),
    metadata: '{"with_password":false}',
    targets: [['duckling', id]],
    isRequired: true,
  })
  const events = JSON.stringify([registered, sessionStarted(id, sessionId, [], about, now)])
  const account = [id, name, randomSecret(7).slice(0, 10), sessionId, expiresAt, about.ip, about.userAgent]
  const { values, wanted } = newCode('signup', email, about, now)
  const [, [created]] = await commit(
    run('addressLock', [email]),
    run('signUp', [...values, ...account, kid, tokenHash, events]),
  )
  if (created === undefined) throw new Error('the address or the name is taken, or too many codes were sent')
  rememberToken(tokenHash, id, sessionId)
  later(sendCode({ ...wanted, owner: id, queued: created.id }))
  const message = 'Welcome. We have mailed you a code: send it to POST /beak/verify-email.'
  return JSON.stringify({
    success: true,
    message,
    duckling_id: id,
    token,
    expires_at: expiresAt,
    trust_tier: 'T0',
  })
}

/** Returns the code of an account that was entered. `codes`: its live codes. */
function enteredCode(codes, owner, entered) {
  return codes.find(({ codeId, codeHash }) => {
    const hash = keyedHash('otp', `${codeId}:${owner}:${entered}`)
    return codeHash !== null && timingSafeEqual(codeHash, hash)
  })
}

/** Thrown after the count of a wrong try is committed. */
const wrongCode = () => new Error('the code is wrong, or no try is left')

async function verifyEmail(request, about) {
  const { otp } = await bodyOf(request)
  const [owner, session, digest] = await sessionOf(request)
  const now = new Date()
  const own = {
    about,
    actor: actorOf('duckling', owner),
    targets: [['duckling', owner]],
    isRequired: true,
    session,
  }
  let match
  await commitTwice([run('tryVerification', [owner, session, digest, now.toISOString()])], (codes) => {
    match = enteredCode(codes, owner, otp)
    if (match === undefined) return []
    const events = [
      event('duckling.verified', owner, now, own),
      event('trust.elevated', owner, now, { ...own, metadata: '{"from":"T0","to":"T1"}' }),
    ]
    return [
      run('verify', [owner, match.codeId, now.toISOString(), match.address]),
      run('recordVerification', [owner, session, JSON.stringify(events)]),
    ]
  })
  if (match === undefined) throw wrongCode()
  recordSeen('session', session, now)
  return JSON.stringify({ success: true, trust_tier: 'T1', duckling_id: owner })
}

async function requestSignInCode(request, about) {
  const { email } = await bodyOf(request)
  const { values, wanted } = newCode('signin', email, about, new Date())
  const [, [created]] = await commit(run('addressLock', [email]), run('requestSignInCode', values))
  if (created) later(sendCode({ ...wanted, owner: created.owner, queued: created.id }))
  const message = 'If this address has an account, a code is on its way.'
  return JSON.stringify({ success: true, message, expires_in: 600, resend_after: 30 })
}

async function signIn(request, about) {
  const { email, otp } = await bodyOf(request)
  const now = new Date()
  const at = now.toISOString()
  const network = networkOf(about.ip)
  const unknown = `unknown:${keyedHash('subject', email).toString('base64url')}`
  const [sessionId, device, amr] = [newId('SES', now), newToken('DEV', now), ['otp']]
  let account
  let session
  const results = await commitTwice([run('trySignIn', [email, network, at, unknown])], (rows) => {
    account = enteredCode(rows, rows[0]?.id, otp)
    if (account === undefined) return []
    const { id, codeId, trustTier } = account
    session = newSession(sessionId, id, trustTier, amr, now)
    const subjects = [`${id}@${network}`, id]
    const item = JSON.stringify({ device: about.userAgent ?? '', at, session: sessionId })
    const payload = JSON.stringify({ duckling_id: id, notice: 'new_device' })
    const claimedUntil = secondsAfter(now, claimSeconds).toISOString()
    const events = inOrder([sessionStarted(id, sessionId, amr, about, now)])
    const row = [sessionId, session.expiresAt, about.ip, about.userAgent, kid, session.tokenHash]
    const values = [
      id,
      codeId,
      at,
      subjects,
      ...row,
      device.id,
      device.secretHash,
      item,
      payload,
      claimedUntil,
      events,
    ]
    return [run('signIn', values), run('removeDevices', [id])]
  })
  if (account === undefined) throw wrongCode()
  const { id, trustTier } = account
  rememberToken(session.tokenHash, id, sessionId)
  const queued = results[0][0].noticeId
  if (queued !== null) later(sendNotice({ queued, owner: id, address: email, session: sessionId }))
  return JSON.stringify({
    token: session.token,
    expires_at: session.expiresAt,
    trust_tier: trustTier,
    device_token: device.token,
  })
}

export const accountRoutes = {
  '/beak/signup': signUp,
  '/beak/verify-email': verifyEmail,
  '/beak/signin/otp': requestSignInCode,
  '/beak/signin': signIn,
}
