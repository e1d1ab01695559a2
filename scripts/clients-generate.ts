/** `npm run clients:generate`: writes `packages/contract/operations.json`, from which both clients are made, and the TypeScript client. */
import { writeFileSync } from 'node:fs'
import { readReference } from './clients/document'
import { operationsFile, referenceText } from './clients/reference'
import { writeTypescript } from './clients/typescript'

const reference = readReference()
writeFileSync(operationsFile, referenceText(reference))
writeTypescript(reference)
