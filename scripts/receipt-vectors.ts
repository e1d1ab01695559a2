/** `npm run receipt:vectors`: writes the test vectors of docs/receipts/format.md. A test fails when they are outdated. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { receiptVectors } from '@/lib/fixtures/receipt-vectors'

const folder = join('docs', 'receipts', 'vectors')
mkdirSync(folder, { recursive: true })
for (const [name, text] of await receiptVectors()) {
  writeFileSync(join(folder, name), text)
  process.stdout.write(`${join(folder, name)}\n`)
}
