import { describe, expect, it } from 'vitest'
import { invitationForProgram, isServedAtRoot, stripBasePath } from './base-path'

describe('stripBasePath', () => {
  it.each([
    ['/prod', '/prod', '/'],
    ['/prod', '/prod/', '/'],
    ['/prod', '/prod?a=1', '/?a=1'],
    ['/prod', '/prod/beak/metrics?a=/prod', '/beak/metrics?a=/prod'],
    ['/prod', '/prod//evil.example', '//evil.example'],
    ['/eu/prod', '/eu/prod/beak', '/beak'],
    ['', '/beak', '/beak'],
    ['', '//evil.example', '//evil.example'],
  ])('with the path %j returns for %s the target %s', (basePath, target, expected) => {
    expect(stripBasePath(basePath, target)).toBe(expected)
  })

  it.each([
    '/',
    '/beak',
    '/production',
    '/prod.json',
    '/PROD/beak',
    '//prod/beak',
    '/a/prod/beak',
    '/%70rod',
    '*',
  ])('returns null for %s outside of /prod', (target) => {
    expect(stripBasePath('/prod', target)).toBeNull()
  })
})

describe('isServedAtRoot', () => {
  it.each(['/healthz', '/readyz/', '/healthz?deep=1', '/.well-known/jwks.json'])('accepts %s', (target) => {
    expect(isServedAtRoot(target)).toBe(true)
  })
  it.each([
    '/',
    '/beak',
    '/healthzz',
    '/healthz/x',
    '/x/.well-known/jwks.json',
    '/.well-knownx',
    '/.well-known/tlog/tile/../../../beak/metrics',
    '/.well-known/%2E./beak',
  ])('rejects %s', (target) => {
    expect(isServedAtRoot(target)).toBe(false)
  })
})

it.each([
  ['/ask/TOKEN', 'application/json', '/beak/invitation/view?token=TOKEN'],
  ['/ask/TOKEN/', 'application/json', '/beak/invitation/view?token=TOKEN'],
  ['/ask/TOKEN', 'text/html,application/json', null],
  ['/ask/TOKEN', '*/*', null],
  ['/ask/TOKEN/more', 'application/json', null],
  ['/ask/TOKEN%26x=1', 'application/json', null],
])('answers %s with Accept %s from %j', (target, accept, expected) => {
  expect(invitationForProgram(target, accept)).toBe(expected)
})
