/** Writes the API reference as Markdown, from the same document as its pages. */
import { config } from '@/lib/kernel/config'
import { inEnglish } from '@/lib/kernel/language'
import { callsOf } from '../api/calls'
import { answerOf } from '../api/example'
import { methodLines } from '../api/methods'
import {
  type Group,
  type ListedOperation,
  type OpenapiDocument,
  type Parameter,
  readReference,
} from '../api/reference'
import { rules } from '../api/rules'
import { type Components, type Field, fieldsOf, notesOf, type Schema, shapesOf, typeOf } from '../api/schema'
import { callers, failuresOf, responseOf } from '../api/words'
import { codeBlock, link } from './blocks'

/** Returns the rules of all operations, and a list of them. Throws `PageProblem`. */
export async function referenceText(): Promise<string> {
  const { document, groups } = await readReference()
  const { baseUrl } = config()
  return [
    '# API reference',
    `JSON over HTTP, version ${document.info.version}. For tools, there is an [OpenAPI 3.1 document](${baseUrl}/beak/openapi.json).`,
    rules(baseUrl)
      .map(
        ({ name, text, link: to }) =>
          `- ${name}: ${text}${to === undefined ? '' : ` ${link(to.text, to.href)}.`}`,
      )
      .join('\n'),
    ...groups.flatMap((group) => [
      `## ${link(group.title, `/docs/api/${group.name}`)}`,
      group.lead,
      group.operations
        .map(({ method, path, operation }) => `- \`${method} ${path}\`: ${operation.summary}`)
        .join('\n'),
    ]),
  ].join('\n\n')
}

/** Returns the operations of a group. Throws `PageProblem`. */
export async function groupText(name: string): Promise<string> {
  const { document, groups } = await readReference()
  const group = groups.find((each) => each.name === name) as Group
  return [
    `# ${group.title}, API reference`,
    group.lead,
    ...group.operations.flatMap((listed) => operationBlocks(listed, document.components)),
  ].join('\n\n')
}

function operationBlocks(
  listed: ListedOperation,
  { schemas: components, responses }: OpenapiDocument['components'],
): string[] {
  const { method, path, operation } = listed
  const body = operation.requestBody?.content?.['application/json']?.schema
  const { media, schema } = responseOf(listed)
  const isJson = media === 'application/json'
  return [
    `## ${operation.summary}`,
    `\`${method} ${path}\``,
    inEnglish(() => methodLines(operation.operationId))
      .map(({ title, text }) => `${title}: \`${text}\``)
      .join(' · '),
    operation.description,
    `Who can call it: ${inEnglish(() => callers(operation.security))}`,
    ...section(
      'Parameters',
      operation.parameters.map((parameter) => parameterLine(parameter, components)),
    ),
    ...section('Body', body === undefined ? [] : fieldLines(body, components, true)),
    ...(isJson
      ? section('Response', fieldLines(schema, components, false))
      : ['### Response', `\`${media}\`, not JSON.`]),
    ...section(
      'Errors',
      failuresOf(operation, responses).map(
        ({ status, code, reason, words }) =>
          `- ${status} \`${code}\`${reason === null ? '' : ` \`${reason}\``} ${words}`,
      ),
    ),
    '### Example',
    ...callsOf(listed, components, config().baseUrl).map(({ language, text }) => codeBlock(language, text)),
    ...(isJson ? [codeBlock('json', JSON.stringify(answerOf(listed, schema, components), null, 2))] : []),
  ]
}

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [`### ${title}`, lines.join('\n')]
}

function parameterLine(
  { name, in: place, required, schema, description }: Parameter,
  components: Components,
): string {
  return fieldLine({
    name,
    type: `${typeOf(schema, components)}, in the ${place}${required ? ', required' : ''}`,
    notes: notesOf(schema),
    description: description ?? schema.description ?? null,
  })
}

function fieldLines(schema: Schema, components: Components, isInput: boolean): string[] {
  return shapesOf(schema, components).flatMap((shape) =>
    fieldsOf(shape, components).map((field) =>
      fieldLine({ ...field, type: `${field.type}${isInput && field.isRequired ? ', required' : ''}` }),
    ),
  )
}

function fieldLine({ name, type, notes, description }: Omit<Field, 'isRequired'>): string {
  const rules = [type, ...notes].join(', ')
  return `- \`${name}\` (${rules})${description === null ? '' : `: ${description}`}`
}
