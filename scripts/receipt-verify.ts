/**
 * `npm run receipt:verify -- receipt.json`: checks the receipt of an approval without asking the service. Exit code 0 when
 * nothing is wrong, else 1.
 */
import { parseArgs } from 'node:util'
import { type ReceiptFacts, type TrustedKeys, verifyReceipt } from '@/lib/proofs/receipts/verify'
import { readJson } from './read-json'

const usage = `Usage: npm run receipt:verify -- <file> [--jwks <file or URL>]

  <file>    the receipt of an approval (GET /beak/peck/receipt)
  --jwks    the service's public keys, /.well-known/jwks.json; without it, those in the receipt
`

function describe({ statement, ...facts }: ReceiptFacts): string {
  const { agent_id: agentId, duckling_id: requesterId } = statement.requester
  const lines = [
    'This receipt holds: nothing in it was changed.',
    `  approved   ${statement.action} (${statement.scope}), parameters with the SHA-256 ${statement.params_hash}`,
    `  asked by   ${agentId === null ? requesterId : `${agentId}, an agent of ${requesterId}`}`,
    `  given by   ${statement.target_duckling_id}, at ${facts.decidedAt}`,
    `  good until ${facts.grantExpiresAt ?? 'it is revoked'}`,
    `  peck       ${statement.peck_id}`,
    facts.passkey === null
      ? '  passkey    none: the service vouches for this approval alone'
      : `  passkey    ${facts.passkey.credentialId} signed exactly this`,
    `  signed by  ${facts.issuer} with the key ${facts.kid}`,
  ]
  if (!facts.isTrustedKey)
    lines.push(
      `The keys came with the receipt; to check them too: --jwks ${facts.issuer}/.well-known/jwks.json`,
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
  const keys = values.jwks === undefined ? undefined : ((await readJson(values.jwks)) as TrustedKeys)
  const verdict = await verifyReceipt(await readJson(place), keys)
  if (!verdict.ok) throw new Error(`This receipt does not hold. ${verdict.fault.message}`)
  process.stdout.write(`${describe(verdict.facts)}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
