/** Compares docs/privacy.md with the database schema. */
import { expect, it } from 'vitest'
import { readSource } from '@/lib/fixtures/source-files'

const privacy = readSource('docs/privacy.md')
const models = [...readSource('prisma/schema.prisma').matchAll(/^model (\w+) \{/gm)].map(
  ([, name = '']) => name,
)

it('describes every table of the database', () => {
  expect(models.length).toBeGreaterThan(30)
  expect(models.filter((name) => !privacy.includes(`\`${name}\``))).toEqual([])
})

it('describes no table that does not exist', () => {
  const named = [...privacy.matchAll(/`([A-Z][a-z]+(?:[A-Z][a-z]+)*)`/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !models.includes(name))).toEqual([])
})
