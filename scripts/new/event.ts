/** "Add an event" of CONTRIBUTING.md: the row in the file of its group and, for webhooks, the schema of its message. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Edits, RecipeFault } from './edit'
import { camel, capital, checked } from './names'

const folder = 'lib/infrastructure/events/kinds'

export interface EventRecipe {
  /** Such as `cert.annotated`. */
  kind: string
  /** What the actor failed to do: `annotate the cert`. */
  tried?: string | undefined
  /** The name of the file in `kinds/` without `.ts`. Default: the file that has kinds with the same first word. */
  group?: string | undefined
  isSent: boolean
}

const kindForm = /^[a-z]+\.[a-z][a-z_]*$/

export const isKnown = (edits: Edits, kind: string) =>
  groupFiles(edits).some((path) => edits.read(path).includes(`'${kind}': {`))

/** Returns the member of the data that has the time of the event: `annotated_at`. */
export const timeMember = (kind: string) => `${kind.split('.')[1]}_at`

export function addEvent(edits: Edits, { kind, tried, group, isSent }: EventRecipe): void {
  checked(kind, kindForm, 'the event as noun.verb in the past, for example cert.annotated')
  if (isKnown(edits, kind)) throw new RecipeFault(`The event ${kind} exists already.`)
  const path = groupOf(edits, kind, group)
  const [noun = '', verb = ''] = kind.split('.').map((word) => word.replaceAll('_', ' '))
  const schema = `${capital(camel(kind.split('.')))}Data`
  const name = `events_${kind.replaceAll('.', '_')}`
  const row = [
    `  '${kind}': {`,
    `    label: m.${name}_label,`,
    `    did: m.${name}_did,`,
    ...(tried === undefined ? [] : [`    tried: m.${name}_tried,`]),
    ...(isSent ? messageLines(kind, name, schema) : []),
    '  },\n',
  ]
  edits.addSentences({
    [`${name}_label`]: `${capital(noun)} ${verb}`,
    [`${name}_did`]: `{#actor/} ${verb} the ${noun}`,
    ...(tried === undefined ? {} : { [`${name}_tried`]: `{#actor/} tried to ${tried}` }),
    ...(isSent ? { [`${name}_when`]: `Your ${noun} was ${verb}` } : {}),
  })
  edits.insertBefore(path, /^} satisfies Kinds$/m, row.join('\n'))
  if (isSent) addMessage(edits, path, kind, schema)
}

function messageLines(kind: string, name: string, schema: string): string[] {
  const example = `{ duckling_id: exampleId('DUCK'), ${timeMember(kind)}: exampleTime }`
  return [`    webhook: message(m.${name}_when, ${schema}, ${example}),`]
}

/** Adds the schema of the message, the imports, and the name of the kind in the contract. */
function addMessage(edits: Edits, path: string, kind: string, schema: string): void {
  const dataPath = dataFileOf(edits, path)
  const [noun = '', verb = ''] = kind.split('.')
  const fields = `{ duckling_id: z.string(), ${timeMember(kind)}: instant }`
  const text = `export const ${schema} = z.object(${fields}).meta({ id: '${schema}', description: 'Your ${noun} was ${verb}.' })\n`
  if (!edits.has(dataPath))
    edits.create(
      dataPath,
      `/** What webhooks tell about these events. */\nimport { z } from 'zod'\nimport { instant } from '@/lib/kernel/fields'\n\n${text}`,
    )
  else edits.insertAfterLast(dataPath, /^(?:\/\*\*.*\*\/|import .*|} from .*)$/, `\n${text.trimEnd()}`)
  const module = `./${dataPath.slice(folder.length + 1, -'.ts'.length)}`
  addImport(edits, path, module, [schema])
  addImport(edits, path, './examples', ['exampleId', 'exampleTime'])
  addImport(edits, path, './kind', ['message'])
  edits.replace(
    'docs/contract.md',
    /`webhook\.changed` and `webhook\.test`\. The last/,
    (match) => `\`${kind}\`,\n${match}`,
  )
}

/** Adds names to an import, which may be missing, and may have been formatted on several lines. */
function addImport(edits: Edits, path: string, module: string, names: string[]): void {
  const escaped = module.replace(/[./]/g, '\\$&')
  const pattern = new RegExp(`^import (type )?\\{([^}]*)\\} from '${escaped}'$`, 'm')
  const found = pattern.exec(edits.read(path))
  if (found === null) {
    edits.insertAfterLast(
      path,
      /^(?:import .*|} from .*)$/,
      `import { ${names.join(', ')} } from '${module}'`,
    )
    return
  }
  const before = (found[2] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  const typed = found[1] === undefined ? before : before.map((name) => `type ${name}`)
  const all = [...new Set([...typed, ...names])]
  edits.replace(path, pattern, () => `import { ${all.join(', ')} } from '${module}'`)
}

function groupFiles(edits: Edits): string[] {
  return readdirSync(join(edits.root, folder))
    .map((name) => `${folder}/${name}`)
    .filter((path) => edits.read(path).includes('} satisfies Kinds'))
}

function groupOf(edits: Edits, kind: string, group: string | undefined): string {
  const files = groupFiles(edits)
  const word = kind.split('.')[0]
  const path =
    files.find((file) => edits.read(file).includes(`\n  '${word}.`)) ??
    files.find((file) => file === `${folder}/${group}.ts`)
  if (path !== undefined) return path
  const names = files.map((file) => file.slice(folder.length + 1, -'.ts'.length)).join(', ')
  throw new RecipeFault(
    `No group has kinds that begin with "${word}". Choose one: group=<name>, of ${names}.`,
  )
}

/** Returns the file with the schemas of a group: the one that it imports, or a new one. */
function dataFileOf(edits: Edits, path: string): string {
  const module = /from '\.\/([\w-]+-data)'/.exec(edits.read(path))?.[1]
  return module === undefined ? path.replace('.ts', '-data.ts') : `${folder}/${module}.ts`
}
