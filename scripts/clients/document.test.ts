/** `packages/contract/operations.json` fits the API reference. `npm run clients:generate` writes it. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readReference } from './document'
import { operationsFile, referenceText } from './reference'

const reference = readReference()

describe('operations.json', () => {
  it('describes the present API reference', () => {
    const isCurrent = readFileSync(operationsFile, 'utf8') === referenceText(reference)
    expect(isCurrent, `${operationsFile}: run npm run clients:generate`).toBe(true)
  })

  it('has one line for each operation, webhook and schema, and is JSON', () => {
    const text = referenceText(reference)
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(reference)))
    const { operations, webhooks, schemas } = reference
    for (const { name } of operations)
      expect(text.match(new RegExp(`^\\{"name":"${name}",`, 'gm'))).toHaveLength(1)
    expect(text.split('\n').length).toBeLessThan(
      operations.length + webhooks.length + Object.keys(schemas).length + 12,
    )
  })

  it('leaves out what only the service checks', () => {
    expect(referenceText(reference)).not.toMatch(/"(pattern|minLength|maxLength|maximum|examples?)":/)
  })
})
