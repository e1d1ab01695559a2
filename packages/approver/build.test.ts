import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApprover, outputFolder, writeApprover } from './build.mjs'

const root = process.cwd()
/** Paths of another length, so that a path in the output would change it. */
const copies = ['a', 'another-folder-with-a-longer-name-'].map((name) => mkdtempSync(join(tmpdir(), name)))
let page: Awaited<ReturnType<typeof buildApprover>>

/** Returns the files that say how the sources are read: `package.json` and `tsconfig.json` in the folders above them. */
function settingsOf(paths: string[]): string[] {
  const folders = new Set(['.'])
  for (const path of paths)
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder)
  return [...folders]
    .flatMap((folder) => [join(folder, 'package.json'), join(folder, 'tsconfig.json')])
    .filter((path) => existsSync(join(root, path)))
}

beforeAll(async () => {
  page = await buildApprover(root)
  for (const copy of copies)
    for (const path of [...page.inputs, ...settingsOf(page.inputs)])
      cpSync(join(root, path), join(copy, path))
})
afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true })
})

const contentOf = (element: string) =>
  new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(page.html)?.[1] ?? ''

describe('the built page', () => {
  // security: site-4
  it('has the same bytes when it is built again and in other folders', async () => {
    for (const folder of [root, ...copies])
      expect((await buildApprover(folder)).html === page.html).toBe(true)
  })

  it('contains no path of this machine', () => {
    expect([root, 'node_modules'].filter((path) => page.html.includes(path))).toEqual([])
  })

  it('allows exactly its own script and style, and nothing else', () => {
    const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(page.policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${hashOf(contentOf('script'))}`,
      `style-src ${hashOf(contentOf('style'))}`,
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    expect(/http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page.html)?.[1]).toBe(page.policy)
  })

  it('loads nothing: its elements name no other file', () => {
    const elements = page.html.replace(/<(script|style)>[\s\S]*?<\/\1>/g, '')
    expect(elements).not.toMatch(/\b(?:src|href|srcset|action|data)=/)
    expect(contentOf('style')).not.toMatch(/url\(|@import/)
  })

  it('uses no server module: the script has neither Node nor a database', () => {
    expect(page.inputs.filter((path) => /^lib\/(db|infrastructure|http|worker)\//.test(path))).toEqual([])
    expect(contentOf('script').includes('innerHTML')).toBe(false)
  })

  it('is written with its digest', () => {
    const [folder = ''] = copies
    writeApprover(folder, page)
    const html = readFileSync(join(folder, outputFolder, 'index.html'))
    const digest = createHash('sha256').update(html).digest('hex')
    expect(page.digest).toBe(digest)
    expect(readFileSync(join(folder, outputFolder, 'index.html.sha256'), 'utf8')).toBe(
      `${digest}  index.html\n`,
    )
  })
})
