import { describe, expect, it } from 'vitest'
import { isBuilderPage } from './builder-pages'

describe('isBuilderPage', () => {
  it.each([
    '/webhooks',
    '/webhooks/new',
    '/sites',
    '/docs/api/agents',
    '/docs/hosts/start',
    '/clients',
    '/agents/new/key',
    '/security/approver',
  ])('is true for %s', (path) => expect(isBuilderPage(path)).toBe(true))

  it.each([
    '/',
    '/home',
    '/you',
    '/docs',
    '/docs/people/start',
    '/docs/search',
    '/sitesx',
    '/pecks',
    '/agents/new',
    '/security',
  ])('is false for %s', (path) => expect(isBuilderPage(path)).toBe(false))
})
