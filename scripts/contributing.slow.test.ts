/** Follows the recipes of docs/recipes/ in a copy of the source code, by hand and with `npm run new`. */
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = process.cwd()
const minutes = 60_000
const notCopied = new Set(['.git', '.next', '.data', 'build', 'node_modules', 'test-results'])

interface Block {
  path: string
  language: string
  lines: string[]
}

/** Returns the blocks that name a file in their first line. */
function readBlocks(markdown: string): Block[] {
  return [...markdown.matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```$/gm)].flatMap(
    ([, indent = '', language = '', text = '']) => {
      const [first = '', ...lines] = text.split('\n').map((line) => line.slice(indent.length))
      const path = /^ ?(?:\/\/|--) (\S+)$/.exec(first)?.[1]
      return path === undefined ? [] : [{ path, language, lines: lines.slice(0, -1) }]
    },
  )
}

/** Returns the lines of one side of a change, without their sign. */
function side(lines: string[], signs: string): string {
  const chosen = lines.filter((line) => signs.includes(line.charAt(0) || ' '))
  return chosen.map((line) => `${line.slice(1)}\n`).join('')
}

/** Returns a text with the changes of a block. Throws when a change fits no place, or several. */
function change(text: string, { path, lines }: Block): string {
  const changes = lines.join('\n').split('\n@@\n')
  return changes.reduce((before, block) => {
    const parts = before.split(side(block.split('\n'), ' -'))
    if (parts.length !== 2) throw new Error(`${path}: fits ${parts.length - 1} places:\n${block}`)
    return parts.join(side(block.split('\n'), ' +'))
  }, text)
}

/** Adds sentences to a table, in the order of their names. Makes the table when there is none. */
function addSentences(file: string, lines: string[]): void {
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const table = { ...before, ...JSON.parse(lines.join('\n')) }
  const sorted = Object.fromEntries(Object.entries(table).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
}

function write(folder: string, block: Block): void {
  const file = join(folder, block.path)
  if (block.language === 'json') {
    addSentences(file, block.lines)
    return
  }
  if (block.language === 'diff') {
    writeFileSync(file, change(readFileSync(file, 'utf8'), block))
    return
  }
  if (existsSync(file)) throw new Error(`${block.path} exists`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${block.lines.join('\n')}\n`)
}

const copy = mkdtempSync(join(tmpdir(), 'beak-recipes-'))
/** The pages of the recipes, in the order of the table in CONTRIBUTING.md. */
const pages = [
  ...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^\| \[[^\]]+\]\((docs\/recipes\/[\w-]+\.md)\)/gm),
].map(([, page = '']) => page)
const blocks = pages.flatMap((page) => readBlocks(readFileSync(page, 'utf8')))

/** Recipes that a program writes. They have other names than the recipes of the documents. */
const generated = [
  ['endpoint', 'cert/praise', 'webhook=yes'],
  ['endpoint', 'pond/measure', 'method=GET', 'in=metrics', 'part=platform'],
  ['event', 'egg.painted', 'webhook=yes'],
  ['page', 'praise', 'form=cert/praise'],
  ['page', 'pond'],
  ['param-type', 'colour'],
]

/** Runs a program in the copy. Returns what it printed when it failed, else an empty text. */
async function faultsOf(program: string, ...args: string[]): Promise<string> {
  const options = { cwd: copy, env: { ...process.env, VITEST: '', SLOW: '' }, maxBuffer: 64 * 1024 * 1024 }
  return promisify(execFile)(program, args, options).then(
    () => '',
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  )
}
const tool = (name: string) => join('node_modules', '.bin', name)

beforeAll(async () => {
  cpSync(root, copy, { recursive: true, filter: (path) => !notCopied.has(basename(path)) })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const block of blocks) write(copy, block)
  expect(await faultsOf('node', '-e', "import('./scripts/prepare.mjs').then((m) => m.generate())")).toBe('')
  for (const words of generated) expect(await faultsOf('npm', 'run', 'new', ...words)).toBe('')
}, 12 * minutes)

afterAll(() => rmSync(copy, { recursive: true, force: true }), minutes)

describe('the recipes of docs/recipes', () => {
  it('have an endpoint, an event, a migration, a page, a type of param and a rule of risk', () => {
    const paths = blocks.map(({ path }) => path)
    for (const part of [
      /\/route\.ts$/,
      /\/kinds\//,
      /\/migration\.sql$/,
      /\/page\.tsx$/,
      /\/param-types\.ts$/,
      /\/risk\/corpus\.txt$/,
    ])
      expect(paths).toContainEqual(expect.stringMatching(part))
  })

  it('compile', async () => expect(await faultsOf(tool('tsc'), '--noEmit')).toBe(''), 5 * minutes)

  it('have the format of the repository', async () => {
    const paths = [...new Set(blocks.map(({ path }) => path))].filter((path) => /\.tsx?$/.test(path))
    expect(await faultsOf(tool('biome'), 'check', '--error-on-warnings', ...paths)).toBe('')
  })

  it(
    'keep the architecture',
    async () => {
      const args = ['run', '--project=repository', 'scripts/architecture/']
      expect(await faultsOf(tool('vitest'), ...args)).toBe('')
    },
    5 * minutes,
  )

  it(
    'pass their tests and those of the contract',
    async () => {
      // One run: each prepares a database and loads the service again.
      const paths = ['app/beak/cert', 'app/beak/pond', 'app/beak/_api/contract.test.ts']
      const decision = ['display/display.test.ts', 'risk/rules.test.ts'].map(
        (name) => `packages/decision/src/${name}`,
      )
      // It also repeats a request of each written endpoint.
      const others = [...decision, 'app/_shell/shortcuts', 'app/beak/_api/idempotency.test.ts']
      expect(await faultsOf(tool('vitest'), 'run', '--project=service', ...paths, ...others)).toBe('')
    },
    5 * minutes,
  )
})

describe('npm run new', () => {
  it.each([
    [['endpoint', 'cert/issue'], 'app/beak/cert/issue/route.ts exists already'],
    [['endpoint', 'lake/drain'], 'Choose the folder of the command: in=<name>'],
    [['endpoint', 'lake/drain', 'in=metrics'], 'Choose one: part=<name>'],
    [['endpoint', '../../etc'], 'Name the path below /beak'],
    [['event', 'lake.drained'], 'Choose one: group=<name>'],
    [['page', 'lake', 'form=lake/drain'], 'There is no endpoint /beak/lake/drain'],
    [['param-type', 'email'], 'The type email exists already'],
    [['endpoint', 'cert/frame', 'webhok=yes'], '"webhok=yes" is no option'],
    [['pond'], 'npm run new endpoint'],
  ])('refuses %j, and writes nothing', async (words, fault) => {
    const before = statSync(join(copy, 'app/beak/_api/table.ts')).mtimeMs
    // Without npm and the check of the packages, which `npm run new` above passes.
    expect(await faultsOf(tool('tsx'), join('scripts', 'new.ts'), ...words)).toContain(fault)
    expect(statSync(join(copy, 'app/beak/_api/table.ts')).mtimeMs).toBe(before)
  })
})
