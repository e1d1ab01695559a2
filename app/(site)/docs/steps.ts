/** The first steps as commands. A test reads them from the page and runs them. */

export interface Step {
  title: string
  text: string
  code: string
}

/** Returns the shell variables and functions that all steps use. */
export function prelude(baseUrl: string): string {
  return `B=${baseUrl}/beak
json() { node -pe "JSON.parse(require('fs').readFileSync(0))$1"; }
post() { curl -s "$B/$1" -H 'Content-Type: application/json' -H "$AUTH" -d "$2"; }`
}

export const steps: Step[] = [
  {
    title: 'Sign up',
    text: 'You are now a duckling at tier T0. Confirm your email with the code to reach T1.',
    code: `TOKEN=$(post signup '{"email": "you@example.com", "display_name": "Mallard"}' | json .token)
AUTH="Authorization: Bearer $TOKEN"
CODE=123456 # the six digits from the email
post verify-email "{\\"otp\\": \\"$CODE\\"}"`,
  },
  {
    title: 'Register an agent',
    text: 'The agent gets a beak key and a handshake token. Both are shown only once.',
    code: `post agent/register '{"agent_name": "Scout", "agent_type": "assistant",
  "capabilities": ["request:peck", "read:peck"]}' > agent.json
AGENT=$(json .agent_id < agent.json)
KEY=$(json .beak_key < agent.json)
HANDSHAKE=$(json .handshake_token < agent.json)`,
  },
  {
    title: 'Bond it',
    text: 'From now on, the agent makes the calls, with its own key. A bonded agent may act within its capabilities.',
    code: `agent() { curl -s "$B/$1" -H 'Content-Type: application/json' -H "X-Beak-Key: $KEY" -d "$2"; }
agent agent/bond "{\\"agent_id\\": \\"$AGENT\\", \\"handshake_token\\": \\"$HANDSHAKE\\"}"`,
  },
  {
    title: 'Let it ask',
    text: 'Before the agent does something that matters, it sends a request, called a peck: here to you, or to any other duckling that accepts its requests.',
    code: `ME=$(curl -s "$B/profile" -H "$AUTH" | json .duckling_id)
PECK=$(agent peck/request "{\\"target_duckling_id\\": \\"$ME\\",
  \\"action\\": \\"send:mail\\", \\"scope\\": \\"limited\\"}" | json .peck_id)`,
  },
  {
    title: 'Approve and use the permission',
    text: 'You approve. The agent gets a grant token, and the mail service uses it. It works once, even when several try.',
    code: `post peck/approve "{\\"peck_id\\": \\"$PECK\\"}"
GRANT=$(curl -s "$B/peck/status?peck_id=$PECK&wait=30" -H "X-Beak-Key: $KEY" | json .grant_token)
curl -s "$B/peck/consume" -H 'Content-Type: application/json' -d "{\\"grant_token\\": \\"$GRANT\\"}"`,
  },
]

/** A task with code. */
export interface Recipe {
  id: string
  title: string
  /** Markdown: only text and `code`. */
  text: string
  link: { href: string; text: string }
  /** What the code is, and what it needs. */
  label: string
  code: string
}

/** Returns the recipes below the steps. */
export function recipes(baseUrl: string): Recipe[] {
  return [
    {
      id: 'mcp',
      title: 'Connect an MCP client',
      text: 'Your agent gets tools that ask you, wait for your decision and use the permission. No tool can approve. Claude Code, Cursor and others read this file.',
      link: { href: '/docs/mcp.md', text: 'See the tools and other clients' },
      label: '.mcp.json, with the beak key from step 2 in BEAK_KEY',
      code: mcpCode(baseUrl),
    },
    {
      id: 'webhooks',
      title: 'Check a webhook',
      text: 'Messages follow Standard Webhooks, which has libraries for most languages. Answer with 2xx within 15 seconds. A message can arrive twice, with the same `webhook-id`.',
      link: { href: '/docs/api/webhooks', text: 'See webhooks in the reference' },
      label: 'Node.js, npm install standardwebhooks',
      code: webhookCode,
    },
    {
      id: 'offline',
      title: 'Check a certificate offline',
      text: "You can cache the keys and the list. The list covers many certificates, so we don't learn which one you check. To see a revocation at once, ask the API.",
      link: { href: '/docs/api/certificates#get-beak-cert-verify', text: 'See the check in the reference' },
      label: 'Node.js, npm install jose',
      code: offlineCode(baseUrl),
    },
    {
      id: 'sso',
      title: 'Sign on at another domain',
      text: 'A token names a domain and works there once. The access token that you get for it is signed with our keys, and its `aud` is that domain.',
      link: { href: '/docs/api/sso', text: 'See SSO in the reference' },
      label: 'Shell, after step 1',
      code: ssoCode,
    },
  ]
}

function mcpCode(baseUrl: string): string {
  const headers = { Authorization: `Bearer \${BEAK_KEY}` }
  return JSON.stringify({ mcpServers: { beak: { type: 'http', url: `${baseUrl}/mcp`, headers } } }, null, 2)
}

/** Needs the token from the first step. */
const ssoCode = `# At Beak: a token for one other domain, valid for five minutes.
SSO=$(post sso/issue '{"target_domain": "lake.example", "scope": "profile"}' | json .sso_token)

# At lake.example: who is it? This does not use up the token.
curl -s "$B/sso/verify?token=$SSO&domain=lake.example"

# Exchange it, once, for an access token that only lake.example accepts.
post sso/bridge "{\\"sso_token\\": \\"$SSO\\", \\"target\\": \\"lake.example\\"}"`

const webhookCode = `import { Webhook } from 'standardwebhooks'

/** Returns the event. Throws when Beak did not send it. \`body\` is the raw text, before parsing. */
export function readEvent(headers, body, secret) {
  return new Webhook(secret).verify(body, headers)
}`

/** Returns code that checks a certificate with our public keys and the status list. */
function offlineCode(baseUrl: string): string {
  return `import { gunzipSync } from 'node:zlib'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const issuer = '${baseUrl}'
const keys = createRemoteJWKSet(new URL(issuer + '/.well-known/jwks.json'))

async function open(jwt) {
  const options = { issuer, algorithms: ['EdDSA'], typ: 'vc+jwt' }
  return (await jwtVerify(jwt, keys, options)).payload
}

/** Returns the owner and the tier of a certificate. Throws when the certificate is not valid. */
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
