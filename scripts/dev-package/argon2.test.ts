import * as native from '@node-rs/argon2'
import { expect, it } from 'vitest'
import { hash, verify } from './argon2.mjs'

const cost = { memoryCost: 64, timeCost: 2, parallelism: 1 }

it('makes and checks the same hashes as the native package', async () => {
  expect(await native.verify(await hash('a long password', cost), 'a long password')).toBe(true)
  expect(await verify(await native.hash('a long password', cost), 'a long password')).toBe(true)
  expect(await verify(await native.hash('a long password', cost), 'another password')).toBe(false)
})
