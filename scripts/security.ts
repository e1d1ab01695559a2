/** `npm run security [-- <id> …]`: prints each row of docs/security.md, or some rows, with the tests that prove it. */
import { readSecurity } from './security/tags'

const chosen = process.argv.slice(2)
const { rows, tags } = readSecurity()
const unknown = chosen.filter((id) => !rows.some((row) => row.id === id))
if (unknown.length > 0) {
  process.stderr.write(`docs/security.md has no row ${unknown.join(', ')}\n`)
  process.exitCode = 1
}
for (const { id, text } of rows) {
  if (chosen.length > 0 && !chosen.includes(id)) continue
  const tests = tags.filter((tag) => tag.id === id).map(({ path, title }) => `  ${path} › ${title}\n`)
  process.stdout.write(`${id}  ${text.split(' | ')[0]}\n${tests.join('') || '  no test\n'}`)
}
