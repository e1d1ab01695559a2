/** The main job in five steps, as commands that run as they stand: a test takes them from the page and does. */

export interface Step {
  title: string
  text: string
  code: string
}

/** What the steps share. */
export function prelude(baseUrl: string): string {
  return `B=${baseUrl}/beak
json() { node -pe "JSON.parse(require('fs').readFileSync(0))$1"; }
post() { curl -s "$B/$1" -H 'Content-Type: application/json' -H "$AUTH" -d "$2"; }`
}

export const steps: Step[] = [
  {
    title: 'Sign up',
    text: 'You are a duckling now, at tier T0. The code from the mail makes that T1.',
    code: `TOKEN=$(post signup '{"email": "you@example.com", "display_name": "Mallard"}' | json .token)
AUTH="Authorization: Bearer $TOKEN"
CODE=123456 # the six digits from the mail
post verify-email "{\\"otp\\": \\"$CODE\\"}"`,
  },
  {
    title: 'Register an agent',
    text: 'It gets a beak key and a handshake. Both are shown this once.',
    code: `post agent/register '{"agent_name": "Scout", "agent_type": "assistant",
  "capabilities": ["request:peck", "read:peck"]}' > agent.json
AGENT=$(json .agent_id < agent.json)
KEY=$(json .beak_key < agent.json)
HANDSHAKE=$(json .handshake_token < agent.json)`,
  },
  {
    title: 'Bond it',
    text: 'From now on it is the agent that speaks, with its own key. Bonded, it may act within its capabilities.',
    code: `agent() { curl -s "$B/$1" -H 'Content-Type: application/json' -H "X-Beak-Key: $KEY" -d "$2"; }
agent agent/bond "{\\"agent_id\\": \\"$AGENT\\", \\"handshake_token\\": \\"$HANDSHAKE\\"}"`,
  },
  {
    title: 'Let it ask',
    text: 'Before it does something that matters, it sends a peck: to you here, or to any duckling that lets itself be asked.',
    code: `ME=$(curl -s "$B/profile" -H "$AUTH" | json .duckling_id)
PECK=$(agent peck/request "{\\"target_duckling_id\\": \\"$ME\\",
  \\"action\\": \\"send:mail\\", \\"scope\\": \\"limited\\"}" | json .peck_id)`,
  },
  {
    title: 'Answer, and use the answer',
    text: 'You approve. The agent picks up its grant, and whoever guards the mailbox spends it: once, however many try.',
    code: `post peck/approve "{\\"peck_id\\": \\"$PECK\\"}"
GRANT=$(curl -s "$B/peck/status?peck_id=$PECK&wait=30" -H "X-Beak-Key: $KEY" | json .grant_token)
curl -s "$B/peck/consume" -H 'Content-Type: application/json' -d "{\\"grant_token\\": \\"$GRANT\\"}"`,
  },
]

/** Goes on after the first step. */
export const ssoCode = `# At home: a token for one other domain, good for five minutes.
SSO=$(post sso/issue '{"target_domain": "lake.example", "scope": "profile"}' | json .sso_token)

# At lake.example: who is it? This spends nothing.
curl -s "$B/sso/verify?token=$SSO&domain=lake.example"

# The duckling trades it, once, for an access token that lake.example alone accepts.
post sso/bridge "{\\"sso_token\\": \\"$SSO\\", \\"target\\": \\"lake.example\\"}"`

export const webhookCode = `import { Webhook } from 'standardwebhooks'

/** The event, or an error when Beak did not send it. \`body\` is the text as it came, before any parsing. */
export function readEvent(headers, body, secret) {
  return new Webhook(secret).verify(body, headers)
}`

/** Checks a certificate with our public keys and the status list. */
export function offlineCode(baseUrl: string): string {
  return `import { gunzipSync } from 'node:zlib'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const issuer = '${baseUrl}'
const keys = createRemoteJWKSet(new URL(issuer + '/.well-known/jwks.json'))

async function open(jwt) {
  const options = { issuer, algorithms: ['EdDSA'], typ: 'vc+jwt' }
  return (await jwtVerify(jwt, keys, options)).payload
}

/** Whom the certificate names, and at which tier. Throws unless it holds. */
export async function check(credential) {
  const certificate = await open(credential)
  const { statusListCredential, statusListIndex } = certificate.credentialStatus
  const list = await open(await (await fetch(statusListCredential)).text())
  if (list.id !== statusListCredential) throw new Error('another list')
  const bits = gunzipSync(Buffer.from(list.credentialSubject.encodedList.slice(1), 'base64url'))
  const byte = bits[statusListIndex >> 3] ?? 0xff
  if ((byte >> (7 - (statusListIndex & 7))) & 1) throw new Error('revoked or superseded')
  return certificate.credentialSubject
}`
}
