/** docs/recipes/event.md: the row in the file of its group and, for webhooks, the schema of its message. */
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
  const sentence = kind.replaceAll('.', '_')
  const name = `events_${sentence}`
  const row = [
    `  '${kind}': {`,
    `    label: m.${name}_label,`,
    `    did: m.${name}_did,`,
    ...(tried === undefined ? [] : [`    tried: m.${name}_tried,`]),
    ...(isSent ? messageLines(kind, name, schema) : []),
    '  },\n',
  ]
  edits.addSentences('lib/infrastructure/events/events.en.json', {
    [`${sentence}_label`]: `${capital(noun)} ${verb}`,
    [`${sentence}_did`]: `<actor/> ${verb} the ${noun}`,
    ...(tried === undefined ? {} : { [`${sentence}_tried`]: `<actor/> tried to ${tried}` }),
    ...(isSent ? { [`${sentence}_when`]: `Your ${noun} was ${verb}` } : {}),
  })
  edits.insertBefore(path, /^} satisfies Kinds$/m, row.join('\n'))
  if (isSent) addMessage(edits, path, kind, schema)
}

function messageLines(kind: string, name: string, schema: string): string[] {
  const example = `{ duckling_id: exampleId('DUCK'), ${timeMember(kind)}: exampleTime }`
  return [`    webhook: message(m.${name}_when, ${schema}, ${example}),`]
}

/** Adds the schema of the message, and the imports. */
function addMessage(edits: Edits, path: string, kind: string, schema: string): void {
  const [noun = '', verb = ''] = kind.split('.')
  const fields = `{ duckling_id: z.string(), ${timeMember(kind)}: instant }`
  addImport(edits, path, 'zod', ['z'])
  addImport(edits, path, '@/lib/kernel/request/fields', ['instant'])
  addImport(edits, path, './kind', ['exampleId', 'exampleTime', 'message'])
  const text = `const ${schema} = z.object(${fields}).meta({ id: '${schema}', description: 'Your ${noun} was ${verb}.' })`
  edits.insertAfterLast(path, /^(?:import .*|} from .*)$/, `\n${text}`)
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
