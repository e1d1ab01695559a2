/** The malicious host: plays every lie of docs/security.md, and finds out who notices. */
import { spawn } from 'node:child_process'
import { findShopPython } from '../lab/liar/shops/python-process'
import { expect, test } from './own-server'
import { serviceEnv } from './server'

// security: host-2
test('notices the lies of a malicious host exactly as documented', async () => {
  test.skip(findShopPython() === null, 'needs python3 with httpx, PyJWT, cryptography and typing_extensions')
  test.setTimeout(11 * 60_000)
  const child = spawn(process.execPath, ['lab/liar/run.mjs'], { env: serviceEnv({}) })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(code, output).toBe(0)
})
