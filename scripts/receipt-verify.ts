/**
 * `npm run receipt:verify -- receipt.json`: verifies a receipt without the service. The exit code is 0 when the receipt is valid, else 1.
 */
import { parseArgs } from 'node:util'
import type { KeySet } from '@beak/client/verify/keys'
import { pinnedKeys } from '@beak/client/verify/log-keys'
import { describeReceipt } from '@beak/client/verify/receipts/describe'
import { checkReceipt, type OutcomeVerdict } from '@beak/client/verify/receipts/verify'
import { readJson } from './read-json'

const usage = `Usage: npm run receipt:verify -- <file> [--jwks <file or URL>] [--vkey <key>] [--witness <key>]

  <file>      the receipt of an outcome (GET /beak/peck/outcome), or of an approval (GET /beak/peck/receipt)
  --jwks      the public keys of the service, /.well-known/jwks.json; default: the keys in the receipt
  --vkey      a key of the transparency log, /.well-known/tlog/vkeys: checks that the log has the passkey
  --witness   with --vkey: a key of a witness; proves that the log had the passkey before the decision
`

function textOf({ facts }: Extract<OutcomeVerdict, { ok: true }>): string {
  const described = Object.entries(describeReceipt(facts)).filter(([, text]) => text !== '')
  const lines = described.map(([label, text]) => `  ${label.padEnd(14)}${text}`)
  if (!facts.isTrustedKey)
    lines.push(
      `The keys came from the receipt. To check them too, add --jwks ${facts.issuer}/.well-known/jwks.json`,
    )
  return ['This receipt is valid: nothing in it was changed.', ...lines].join('\n')
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      jwks: { type: 'string' },
      vkey: { type: 'string', multiple: true },
      witness: { type: 'string', multiple: true },
    },
  })
  const [place, ...others] = positionals
  if (place === undefined || others.length > 0) throw new Error(usage)
  const { jwks, vkey, witness } = values
  if (witness !== undefined && vkey === undefined) throw new Error('--witness needs --vkey.')
  const keys = jwks === undefined ? undefined : ((await readJson(jwks)) as KeySet)
  const verdict = await checkReceipt(await readJson(place), keys, {
    ...(vkey === undefined ? {} : { vkeys: pinnedKeys(vkey, 'ed25519') }),
    ...(witness === undefined ? {} : { witnesses: pinnedKeys(witness, 'cosignature') }),
  })
  if (!verdict.ok) throw new Error(`This receipt is not valid. ${verdict.fault.message}`)
  process.stdout.write(`${textOf(verdict)}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
