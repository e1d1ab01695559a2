import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { config, useConfig } from '@/lib/kernel/config'
import { version } from '@/lib/kernel/version'
import { fillAddresses } from './addresses'
import { codesOf } from './blocks'

const before = config()
afterEach(() => useConfig(before))

const text = `\`\`\`sh
npm install https://beak.example/clients/beak-client-{{version}}.tgz
pip install "beak-client[verify] @ https://beak.example/clients/beak_client-{{version}}-py3-none-any.whl"
npx https://beak.example/clients/beak-dev-{{version}}.tgz --json
curl https://beak.example/beak/metrics
\`\`\``

const at = (baseUrl: string) => {
  useConfig({ baseUrl })
  return fillAddresses(text)
}

describe('fillAddresses', () => {
  it('writes the address and the version of this service', () => {
    expect(at('https://beak.test/prod')).toContain(
      `npm install https://beak.test/prod/clients/beak-client-${version}.tgz\n`,
    )
  })

  it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
    'installs over plain http from this computer: %s',
    (baseUrl) => expect(at(baseUrl)).toContain(`npx ${baseUrl}/clients/beak-dev-${version}.tgz`),
  )

  it.each(['http://beak.test', 'http://10.0.0.7:3000', 'http://localhost.evil.test'])(
    'says why there is no command for an address that others can change on the way: %s',
    (baseUrl) => {
      const filled = at(baseUrl)
      expect(filled).not.toMatch(/install|npx/)
      expect(filled.match(/^# Commands are not shown, because/gm)).toHaveLength(3)
      expect(filled).toContain(`curl ${baseUrl}/beak/metrics`)
    },
  )
})

it('has every command that installs a package in code, where a comment can replace it', () => {
  const root = join(process.cwd(), 'content', 'docs')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  )
  const isCommand = (line: string) => /(install|npx|add) .*beak\.example\/clients\//.test(line)
  for (const file of files) {
    const body = readFileSync(join(root, file), 'utf8')
    const inCode = codesOf(body)
      .filter(({ language }) => language === 'sh')
      .flatMap((code) => code.text.split('\n'))
    expect(body.split('\n').filter(isCommand), file).toEqual(inCode.filter(isCommand))
  }
})
