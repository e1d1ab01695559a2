/** The command that publishes the clients, as far as it goes without a registry. */
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { version } from '@/lib/kernel/service/version'

const run = promisify(execFile)

it('checks both packages in a dry run, and asks no registry', async () => {
  const asked: string[] = []
  const registry = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(500).end()
  })
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void registry.close())
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`
  const { stdout, stderr } = await run(process.execPath, ['scripts/clients-publish.mjs'], {
    env: { ...process.env, npm_config_registry: address, PIP_INDEX_URL: address },
  })
  expect(stdout).toContain(`+ @beak/client@${version}`)
  expect(stdout).toContain(`Would install beak-client-${version}`)
  expect(stdout).toContain('Dry run: nothing was published.')
  expect(stderr).toContain('with tag latest and public access (dry-run)')
  expect(asked).toEqual([])
}, 180_000)
