import { describe, expect, it } from 'vitest'
import { addressOf, builtTests } from './changed.mjs'

describe('the address of a page', () => {
  it.each([
    ['app/(account)/webhooks/page.tsx', '/webhooks'],
    ['app/(account)/webhooks/_form/fields.tsx', '/webhooks'],
    ['app/(site)/docs/[section]/page.tsx', '/docs'],
    ['app/layout.tsx', null],
    ['components/ui/form.tsx', null],
  ])('of %s is %s', (path, address) => {
    expect(addressOf(path)).toBe(address)
  })
})

describe('the tests of the built server for a change', () => {
  const files = [
    { path: 'e2e/webhooks.test.ts', text: "await page.goto('/webhooks')" },
    { path: 'e2e/mail.test.ts', text: "import { codeAfter } from './outbox'" },
    { path: 'e2e/outbox.ts', text: "import { eventually } from './server'" },
    { path: 'e2e/server.ts', text: '' },
  ]

  it.each([
    ['a page', 'app/(account)/webhooks/page.tsx', ['e2e/webhooks.test.ts']],
    ['a helper of a helper', 'e2e/server.ts', ['e2e/mail.test.ts']],
    ['a test', 'e2e/mail.test.ts', ['e2e/mail.test.ts']],
    ['a document', 'docs/contract.md', []],
  ])('are those of %s', (_, path, tests) => {
    expect(builtTests([path], files)).toEqual(tests)
  })
})
