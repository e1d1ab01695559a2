/** Writes the generated files of the TypeScript client from `packages/contract/operations.json`. `generate` of `scripts/prepare.mjs` runs this. */
import { readFileSync } from 'node:fs'
import { operationsFile, type Reference } from './reference'
import { writeTypescript } from './typescript'

writeTypescript(JSON.parse(readFileSync(operationsFile, 'utf8')) as Reference)
