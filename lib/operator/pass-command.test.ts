import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { inServer } from '@/lib/fixtures/operator'
import { config, useConfig as replaceConfig } from '@/lib/kernel/config'

const configured = config()
beforeEach(async () => {
  replaceConfig({ signUp: { mode: 'pass' } })
  await db().signUpPass.deleteMany()
})
afterEach(() => replaceConfig(configured))

const run = inServer('pass')

const aFile = (text: string) => {
  const path = join(mkdtempSync(join(tmpdir(), 'beak-passes-')), 'people.csv')
  writeFileSync(path, text)
  return path
}

describe('pass', () => {
  it('prints a link for one address, and stores only a digest', async () => {
    const { code, output } = await run('Scoter@Pond.example', '--name', 'Scoter & Co')
    expect(code).toBe(0)
    const [link = '', words] = output.split('\n')
    const query = new URL(link).searchParams
    expect([query.get('email'), query.get('name')]).toEqual(['scoter@pond.example', 'Scoter & Co'])
    expect(words).toBe('The link works once, for 14 days, and only with this address.')
    const secret = query.get('pass')?.slice(30) ?? ''
    expect(secret).toHaveLength(52)
    expect(JSON.stringify(await db().signUpPass.findMany())).not.toContain(secret)
  })

  it('reads a CSV with names in any script, and prints one with links', async () => {
    const { code, output } = await run(
      '--csv',
      aFile(
        '\uFEFFName,Email\r\n"Weber, Anna",anna@pond.example\r\n李雷,li@pond.example\r\n,\r\n=1+1,eve@pond.example\r\n',
      ),
    )
    expect({ code, output }).toMatchObject({ code: 0 })
    const [head, anna, li, eve] = output.split('\n')
    expect(head).toBe('email,name,link')
    expect(anna).toMatch(/^anna@pond\.example,"Weber, Anna",http/)
    expect(li).toContain('li@pond.example,李雷,http')
    // A spreadsheet would run it.
    expect(eve).not.toContain(',=1+1')
    expect(await db().signUpPass.count()).toBe(3)
  })

  it('makes no pass when a line is wrong, and names the line', async () => {
    const file = aFile('email,name\nanna@pond.example,Anna\nnobody,Nobody\n')
    expect(await run('--csv', file)).toEqual({
      code: 1,
      output: `${file}, person 2: "nobody" is not an email address.`,
    })
    expect(await db().signUpPass.count()).toBe(0)
  })

  it.each([
    [[], 'pass needs one email address, or --csv <file>.'],
    [['a@pond.example', 'b@pond.example'], 'pass needs one email address'],
    [['nobody'], '"nobody" is not an email address'],
    [['--csv', 'people.csv'], '--csv needs an absolute path'],
    [['--csv', '/nowhere/people.csv'], 'cannot be read (ENOENT)'],
    [['--csv', aFile('address\na@pond.example\n')], 'needs a first line with the columns email and name'],
    [['--csv', aFile('email\n')], 'needs 1 to 10000 people'],
    [['--days', '3'], "Unknown option '--days'"],
  ])('explains wrong arguments: %j', async (args, words) => {
    const { code, output } = await run(...args)
    expect([code, output]).toEqual([1, expect.stringContaining(words)])
  })

  it.each(['open', 'closed'] as const)('is refused where a pass is of no use: SIGNUP=%s', async (mode) => {
    replaceConfig({ signUp: { mode } })
    expect((await run('a@pond.example')).output).toContain(`SIGNUP is ${mode}: `)
  })
})
