/**
 * `npm run api:release`: keeps the API reference of this version in docs/api/, so that a test finds breaking changes after it
 * (docs/versioning.md). Lists what breaks clients of the release before.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from '@/app/beak/_api/table'
import { openapiDocument } from '@/lib/http/openapi'
import manifest from '@/package.json' with { type: 'json' }
import { breakingChanges, type Document, newestRelease } from './api/breaking-changes'

const folder = join('docs', 'api')
mkdirSync(folder, { recursive: true })
// The address of a host is not a part of the release.
const { servers: _, ...document } = openapiDocument(table, manifest.version)
const previous = newestRelease(folder)
if (previous !== undefined) {
  const before = JSON.parse(readFileSync(previous, 'utf8')) as Document
  for (const change of breakingChanges(before, document as unknown as Document))
    process.stdout.write(`breaking: ${change}\n`)
}
const file = join(folder, `${manifest.version}.json`)
writeFileSync(file, `${JSON.stringify(document)}\n`)
process.stdout.write(`Wrote ${file}\n`)
