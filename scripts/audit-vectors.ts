/** `npm run audit:vectors`: writes the test vectors of docs/audit/format.md. A test fails when they are outdated. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { auditVectors } from '@/lib/fixtures/audit-vectors'

const folder = join('docs', 'audit', 'vectors')
mkdirSync(folder, { recursive: true })
for (const [name, text] of await auditVectors()) {
  writeFileSync(join(folder, name), text)
  process.stdout.write(`${join(folder, name)}\n`)
}
