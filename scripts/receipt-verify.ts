/**
 * `npm run receipt:verify -- receipt.json`: verifies the receipt of an approval without the service. The exit code is 0 when the receipt is
 * valid, else 1.
 */
import { parseArgs } from 'node:util'
import type { KeySet } from '@beak/client/verify/keys'
import { checkReceipt, type ReceiptFacts } from '@beak/client/verify/receipts/verify'
import { readJson } from './read-json'

const usage = `Usage: npm run receipt:verify -- <file> [--jwks <file or URL>]

  <file>    the receipt of an approval (GET /beak/peck/receipt)
  --jwks    the public keys of the service, /.well-known/jwks.json; default: the keys in the receipt
`

function describe({ statement, ...facts }: ReceiptFacts): string {
  const { agent_id: agentId, duckling_id: requesterId } = statement.requester
  const lines = [
    'This receipt is valid: nothing in it was changed.',
    `  approved    ${statement.action} (${statement.scope}), parameters with the SHA-256 ${statement.params_hash}`,
    `  asked by    ${agentId === null ? requesterId : `${agentId}, an agent of ${requesterId}`}`,
    `  approved by ${statement.target_duckling_id}, at ${facts.decidedAt}`,
    `  valid until ${facts.grantExpiresAt ?? 'it is revoked'}`,
    `  peck        ${statement.peck_id}`,
    facts.passkey === null
      ? '  passkey     none: only the service confirms this approval'
      : `  passkey     ${facts.passkey.credentialId} signed this statement`,
    `  signed by   ${facts.issuer} with the key ${facts.kid}`,
  ]
  if (!facts.isTrustedKey)
    lines.push(
      `The keys came from the receipt. To check them too, add --jwks ${facts.issuer}/.well-known/jwks.json`,
    )
  return lines.join('\n')
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { jwks: { type: 'string' } },
  })
  const [place, ...others] = positionals
  if (place === undefined || others.length > 0) throw new Error(usage)
  const keys = values.jwks === undefined ? undefined : ((await readJson(values.jwks)) as KeySet)
  const verdict = await checkReceipt(await readJson(place), keys)
  if (!verdict.ok) throw new Error(`This receipt is not valid. ${verdict.fault.message}`)
  process.stdout.write(`${describe(verdict.facts)}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
