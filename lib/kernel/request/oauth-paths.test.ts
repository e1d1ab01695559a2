import { expect, it } from 'vitest'
import { isOAuthPath, oauthMetadataAtRoot } from './oauth-paths'

const name = '/.well-known/oauth-authorization-server'

it.each([
  [name, '', name],
  [`${name}/`, '', name],
  [`${name}?x=1`, '', name],
  [`${name}/prod`, '/prod', name],
  [`${name}/prod/`, '/prod', name],
  ['/.well-known/openid-configuration/prod', '/prod', '/.well-known/openid-configuration'],
  [name, '/prod', null],
  [`${name}/production`, '/prod', null],
  [`${name}/other`, '', null],
  ['/.well-known/jwks.json', '', null],
  ['/', '', null],
])('%s with the path %j is the metadata at %j', (path, basePath, found) => {
  expect(oauthMetadataAtRoot(path, basePath)).toBe(found)
})

it.each([
  ['/oauth/token', true],
  [name, true],
  [`${name}/?x`, true],
  [`${name}/prod`, false],
  ['/oauth', false],
  ['/oauthority/', false],
])('%s belongs to the authorization server: %s', (target, isOf) => {
  expect(isOAuthPath(target)).toBe(isOf)
})
