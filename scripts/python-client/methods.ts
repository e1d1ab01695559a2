/** The methods of the asynchronous client, and the table of operations. The synchronous client is translated from the methods. */
import type { Field, Operation } from './document'
import { answerName, type Models, queryType } from './models'
import { isIdentifier, literal, pascalCase, snakeCase } from './names'
import { docstring, fileHeader, indented } from './text'

/** The arguments that every method has. */
const options = ['timeout', 'idempotency_key']

interface Argument {
  field: Field
  name: string
  type: string
  /** The service takes null, which is another value than nothing. */
  isNullable: boolean
}

function argumentOf(operation: Operation, field: Field, models: Models): Argument {
  const name = snakeCase(field.in === 'header' ? field.name.replace(/^X-/, '') : field.name)
  if (!isIdentifier(name) || options.includes(name))
    throw new Error(`${operation.id} has a field that cannot be an argument: ${field.name}`)
  const place = pascalCase(operation.id) + pascalCase(field.name)
  const type = field.in === 'query' ? queryType(field.schema) : models.argumentType(field.schema, place)
  return { field, name, type, isNullable: type.startsWith('Optional[') }
}

function signature({ field, name, type, isNullable }: Argument): string {
  if (field.isRequired) return `${name}: ${type},`
  if (isNullable) return `${name}: Union[${type}, Unset] = UNSET,`
  return `${name}: Optional[${type}] = None,`
}

/** Returns the type of the answer. */
function answerType(operation: Operation, models: Models): string {
  if (operation.answer === 'text') return 'str'
  if (operation.answer === 'bytes') return 'bytes'
  return models.answerType(operation.answerSchema, answerName(operation))
}

/** Removes what depends on the configuration of the host, and the ends of lines of the source. */
function readable(description: string): string[] {
  return description.split('\n\n').filter((paragraph) => !paragraph.startsWith('Limit `'))
}

const credentialTexts: Record<Operation['credential'], string> = {
  none: 'Needs no credential.',
  optional: 'A credential is optional.',
  session: 'Needs a session token.',
  key: "Needs an agent's beak key.",
  any: "Needs a session token or an agent's beak key.",
}

function documentation(operation: Operation, list: Argument[]): string[] {
  const described = list
    .map(({ name, field }) => ({ name, text: field.description || defaultText(field) }))
    .filter(({ text }) => text !== '')
    .map(({ name, text }) => `- \`${name}\`: ${text}`)
  return docstring(
    [
      `${operation.summary}.`,
      ...readable(operation.description),
      operation.isDeprecated ? 'Deprecated.' : '',
      credentialTexts[operation.credential],
      described.join('\n'),
    ],
    8,
  )
}

function defaultText({ schema }: Field): string {
  const { default: value } = schema
  return value === undefined || value === null || typeof value === 'object' ? '' : `Default: ${value}.`
}

function method(operation: Operation, models: Models): string[] {
  const list = operation.fields.map((field) => argumentOf(operation, field, models))
  const ordered = [...list.filter(({ field }) => field.isRequired), ...list.filter(({ field }) => !field.isRequired)]
  const name = snakeCase(operation.id)
  const constant = name.toUpperCase()
  if (operation.answer === 'events')
    return [
      `    def ${name}(self) -> AsyncIterator[StreamEvent]:`,
      ...documentation(operation, ordered),
      `        return self._events(operations.${constant})`,
    ]
  const type = qualified(answerType(operation, models))
  const values = list.map((argument) => `${literal(argument.field.name)}: ${argument.name},`)
  return [
    `    async def ${name}(`,
    '        self,',
    '        *,',
    ...indented(ordered.map((argument) => qualified(signature(argument))), 8),
    '        timeout: Optional[float] = None,',
    ...(operation.takesIdempotencyKey ? ['        idempotency_key: Optional[str] = None,'] : []),
    `    ) -> ${type}:`,
    ...documentation(operation, ordered),
    '        return cast(',
    `            ${type},`,
    '            await self._call(',
    `                operations.${constant},`,
    ...(values.length === 0 ? ['                {},'] : ['                {', ...indented(values, 20), '                },']),
    '                timeout=timeout,',
    ...(operation.takesIdempotencyKey ? ['                idempotency_key=idempotency_key,'] : []),
    '            ),',
    '        )',
  ]
}

/** Returns whether an operation lists things page by page. */
const isPaged = ({ fields }: Operation) => fields.some(({ name, in: place }) => place === 'query' && name === 'cursor')

/** Returns a method that iterates over all pages of a list. */
function iterator(operation: Operation, models: Models): string[] {
  const list = operation.fields
    .filter(({ name }) => name !== 'cursor')
    .map((field) => argumentOf(operation, field, models))
  const name = snakeCase(operation.id)
  if (!name.startsWith('list_')) throw new Error(`${operation.id} has a cursor, so its name must begin with list.`)
  const { items } = operation.answerSchema.properties ?? {}
  const type = qualified(models.answerType(items?.items ?? {}, `${answerName(operation)}Item`))
  return [
    `    async def iter_${name.slice('list_'.length)}(`,
    '        self,',
    '        *,',
    ...indented(list.map((argument) => qualified(signature(argument))), 8),
    '        timeout: Optional[float] = None,',
    `    ) -> AsyncIterator[${type}]:`,
    ...docstring(
      [`Iterates over everything that \`${name}\` lists, page by page.`, '`limit` is the size of a page.'],
      8,
    ),
    '        cursor: Optional[str] = None',
    '        while True:',
    `            page = await self.${name}(`,
    ...indented(
      list.map((argument) => `${argument.name}=${argument.name},`),
      16,
    ),
    '                cursor=cursor,',
    '                timeout=timeout,',
    '            )',
    '            for item in page["items"]:',
    '                yield item',
    '            cursor = page["next_cursor"]',
    '            if cursor is None:',
    '                return',
  ]
}

/** Writes the types of models.py with the name of the module. */
function qualified(type: string): string {
  const builtIn = /^(Dict|List|Literal|Optional|Union|None|True|False|Mapping|Sequence|Unset|UNSET)$/
  return type.replaceAll(/"[^"]*"|\b[A-Z]\w*/g, (word) =>
    word.startsWith('"') || builtIn.test(word) ? word : `models.${word}`,
  )
}

/** Returns the source of the asynchronous methods. */
export function methodsSource(operations: Operation[], models: Models): string {
  const methods = operations.flatMap((operation) => [
    ...method(operation, models),
    '',
    ...(isPaged(operation) ? [...iterator(operation, models), ''] : []),
  ])
  const code = methods.join('\n')
  const used = ['AsyncIterator', 'Dict', 'List', 'Literal', 'Mapping', 'Optional', 'Sequence', 'Union', 'cast'].filter(
    (name) => new RegExp(`\\b${name}\\b`).test(code),
  )
  return [
    ...fileHeader('A method for each operation of the service.'),
    `from typing import ${used.join(', ')}`,
    '',
    'from . import _operations as operations',
    'from . import models',
    'from ._operation import UNSET, Operation, Unset',
    'from .events import StreamEvent',
    '',
    '',
    'class AsyncMethods:',
    '    """The operations of the service, as methods."""',
    '',
    '    async def _call(',
    '        self,',
    '        operation: Operation,',
    '        values: Mapping[str, object],',
    '        *,',
    '        timeout: Optional[float],',
    '        idempotency_key: Optional[str] = None,',
    '    ) -> object:',
    '        raise NotImplementedError',
    '',
    '    def _events(self, operation: Operation) -> AsyncIterator[StreamEvent]:',
    '        raise NotImplementedError',
    '',
    ...methods,
  ].join('\n')
}

/** Returns the source of the table of operations. */
export function tableSource(operations: Operation[], models: Models): string {
  const entries = operations.flatMap((operation) => {
    const nullable = operation.fields
      .filter((field) => argumentOf(operation, field, models).isNullable)
      .map(({ name }) => literal(name))
    const names = (place: Field['in']) =>
      operation.fields.filter((field) => field.in === place).map(({ name }) => literal(name))
    const tuple = (values: string[]) => (values.length === 1 ? `(${values[0]},)` : `(${values.join(', ')})`)
    return [
      `${snakeCase(operation.id).toUpperCase()} = Operation(`,
      `    name=${literal(operation.id)},`,
      `    method=${literal(operation.method)},`,
      `    path=${literal(operation.path)},`,
      `    credential=${literal(operation.credential)},`,
      ...(['path', 'query', 'header', 'body'] as const)
        .filter((place) => names(place).length > 0)
        .map((place) => `    in_${place}=${tuple(names(place))},`),
      ...(nullable.length > 0 ? [`    nullable=${tuple(nullable)},`] : []),
      ...(operation.takesIdempotencyKey ? ['    takes_idempotency_key=True,'] : []),
      `    answer=${literal(operation.answer)},`,
      ')',
    ]
  })
  return [
    ...fileHeader('How each operation of the service is called.'),
    'from ._operation import Operation',
    '',
    ...entries,
    '',
  ].join('\n')
}
