/**
 * `npm run new <recipe> <name> [option=value …]`: writes the files of a recipe of docs/recipes/, with every place filled in. What it writes
 * works and passes its tests.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { Edits, RecipeFault } from './new/edit'
import { addEndpoint } from './new/endpoint'
import { addEvent } from './new/event'
import { addPage } from './new/page'
import { addParamType } from './new/param-type'

const usage = `npm run new endpoint cert/annotate [method=GET] [event=cert.annotated] [webhook=yes] [in=certs] [part=certificates] [group=trust]
npm run new event cert.annotated [webhook=yes] [group=trust]
npm run new page note [form=cert/annotate]
npm run new param-type phone`

const known: Record<string, string[]> = {
  endpoint: ['method', 'event', 'webhook', 'in', 'part', 'group'],
  event: ['webhook', 'group'],
  page: ['form'],
  'param-type': [],
}

/** Reads `name=value`. These are no options with `--`, because `npm run` would take them for its own. */
function readOptions(recipe: string, words: string[]): Record<string, string | undefined> {
  const options = words.map((word) => /^([a-z]+)=(.+)$/.exec(word) ?? [word, ''])
  const unknown = options.find(([, name = '']) => !known[recipe]?.includes(name))
  if (unknown !== undefined) throw new RecipeFault(`"${unknown[0]}" is no option.\n\n${usage}`)
  return Object.fromEntries(options.map(([, name, value]) => [name, value]))
}

function apply(edits: Edits, [recipe = '', name = '', ...words]: string[]): void {
  if (!(recipe in known)) throw new RecipeFault(usage)
  const options = readOptions(recipe, words)
  const { webhook = 'no', method = 'POST' } = options
  if (!['yes', 'no'].includes(webhook)) throw new RecipeFault('Write webhook=yes or webhook=no.')
  const isSent = webhook === 'yes'
  if (recipe === 'event') addEvent(edits, { ...options, kind: name, isSent })
  else if (recipe === 'page') addPage(edits, { ...options, path: name })
  else if (recipe === 'param-type') addParamType(edits, name)
  else if (method === 'GET' || method === 'POST')
    addEndpoint(edits, { ...options, path: name, method, folder: options.in, isSent })
  else throw new RecipeFault('Write method=GET or method=POST.')
}

try {
  const root = process.cwd()
  const edits = new Edits(root)
  const args = process.argv.slice(2)
  apply(edits, args)
  edits.write()
  if (args[0] !== 'page')
    execFileSync(process.execPath, [join('scripts', 'run.mjs'), 'clients-generate.ts'], {
      cwd: root,
      stdio: 'ignore',
    })
  process.stdout.write(`${edits.paths.map((path) => `  ${path}\n`).join('')}
It works as it is: npm run check, and npm test -- ${edits.paths.find((path) => path.includes('.test.')) ?? 'lib/infrastructure/events'}
docs/recipes/${args[0]}.md shows what to change now.\n`)
} catch (error) {
  if (!(error instanceof RecipeFault)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
