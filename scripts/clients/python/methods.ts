/** The methods of the asynchronous client, and the table of operations. The synchronous client is translated from the methods. */
import type { Operation, Schema } from '../document'
import { answerName, type Models, queryType } from './models'
import { isIdentifier, literal, pascalCase, snakeCase } from './names'
import { docstring, fileHeader, indented } from './text'

/** The arguments that every method has. */
const options = ['timeout', 'idempotency_key']

/** Headers that the client sets by itself. */
const ownHeaders = ['x-beak-key', 'idempotency-key']

/** A field of the input, as an argument. */
interface Argument {
  /** As the service writes it. */
  field: string
  place: 'path' | 'query' | 'header' | 'body'
  isRequired: boolean
  schema: Schema
  description: string
  /** As Python writes it. */
  name: string
  type: string
  /** The service takes null, which is another value than nothing. */
  isNullable: boolean
}

const takesIdempotencyKey = ({ parameters }: Operation) =>
  parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key')

/** Returns the fields of a body. Of alternatives, a field is required only where every alternative requires it. */
function bodyFields(body: Schema): Map<string, { schema: Schema; isRequired: boolean }> {
  const alternatives = body.oneOf ?? body.anyOf ?? [body]
  const fields = new Map<string, { schema: Schema; isRequired: boolean }>()
  for (const alternative of alternatives)
    for (const [name, property] of Object.entries(alternative.properties ?? {})) {
      const known = fields.get(name)?.schema
      const isRequired = alternatives.every(({ required = [] }) => required.includes(name))
      fields.set(name, { schema: known ? mergeChoices(name, known, property) : property, isRequired })
    }
  return fields
}

/** Merges a field of two alternatives, which are equal or differ only in their constant. */
function mergeChoices(name: string, left: Schema, right: Schema): Schema {
  if (JSON.stringify(left) === JSON.stringify(right)) return left
  const choices = [left, right].flatMap((schema) => schema.enum ?? [schema.const])
  if (choices.includes(undefined)) throw new Error(`The alternatives of ${name} cannot be merged.`)
  return { type: 'string', enum: [...new Set(choices)] }
}

/** Returns the arguments of an operation, in the order of the API reference. */
function argumentsOf(operation: Operation, models: Models): Argument[] {
  const parameters = operation.parameters
    .filter(({ name }) => !ownHeaders.includes(name.toLowerCase()))
    .map((parameter) => ({
      field: parameter.name,
      place: parameter.in,
      isRequired: parameter.required ?? false,
      schema: parameter.schema,
      description: parameter.description ?? parameter.schema.description ?? '',
    }))
  const body = [...bodyFields(operation.body ?? {})].map(([field, { schema, isRequired }]) => ({
    field,
    place: 'body' as const,
    isRequired,
    schema,
    description: schema.description ?? '',
  }))
  return [...parameters, ...body].map((one) => {
    const name = snakeCase(one.place === 'header' ? one.field.replace(/^X-/, '') : one.field)
    if (!isIdentifier(name) || options.includes(name))
      throw new Error(`${operation.name} has a field that cannot be an argument: ${one.field}`)
    const place = pascalCase(operation.name) + pascalCase(one.field)
    const type = one.place === 'query' ? queryType(one.schema) : models.argumentType(one.schema, place)
    return { ...one, name, type, isNullable: type.startsWith('Optional[') }
  })
}

function signature({ isRequired, name, type, isNullable }: Argument): string {
  if (isRequired) return `${name}: ${type},`
  if (isNullable) return `${name}: Union[${type}, Unset] = UNSET,`
  return `${name}: Optional[${type}] = None,`
}

/** How the client reads an answer. */
function answerKindOf({ media }: Operation): 'json' | 'text' | 'bytes' | 'events' {
  if (media === 'application/json') return 'json'
  if (media === 'text/event-stream') return 'events'
  return media === 'application/octet-stream' ? 'bytes' : 'text'
}

function answerType(operation: Operation, models: Models): string {
  const kind = answerKindOf(operation)
  if (kind === 'text') return 'str'
  return kind === 'bytes' ? 'bytes' : models.answerType(operation.answer, answerName(operation))
}

function credentialText({ credentials }: Operation): string {
  const texts = { session: 'a session token', key: "an agent's beak key" }
  const needed = credentials.map((kind) => texts[kind]).join(' or ')
  return needed === '' ? 'Sends no credential.' : `Sends ${needed}.`
}

function documentation(operation: Operation, list: Argument[]): string[] {
  const described = list
    .map(({ name, description, schema }) => ({ name, text: description || defaultText(schema) }))
    .filter(({ text }) => text !== '')
    .map(({ name, text }) => `- \`${name}\`: ${text}`)
  return docstring(
    [
      `${operation.summary}.`,
      ...operation.description.split('\n\n'),
      operation.deprecated ? 'Deprecated.' : '',
      `\`${operation.method} ${operation.path}\`. ${credentialText(operation)}`,
      described.join('\n'),
    ],
    8,
  )
}

function defaultText({ default: value }: Schema): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : `Default: ${value}.`
}

function method(operation: Operation, models: Models): string[] {
  const list = argumentsOf(operation, models)
  const ordered = [
    ...list.filter(({ isRequired }) => isRequired),
    ...list.filter(({ isRequired }) => !isRequired),
  ]
  const name = snakeCase(operation.name)
  const constant = name.toUpperCase()
  if (answerKindOf(operation) === 'events')
    return [
      `    def ${name}(self) -> AsyncIterator[StreamEvent]:`,
      ...documentation(operation, ordered),
      `        return self._events(operations.${constant})`,
    ]
  const type = qualified(answerType(operation, models))
  const values = list.map((argument) => `${literal(argument.field)}: ${argument.name},`)
  return [
    `    async def ${name}(`,
    '        self,',
    '        *,',
    ...indented(
      ordered.map((argument) => qualified(signature(argument))),
      8,
    ),
    '        timeout: Optional[float] = None,',
    ...(takesIdempotencyKey(operation) ? ['        idempotency_key: Optional[str] = None,'] : []),
    `    ) -> ${type}:`,
    ...documentation(operation, ordered),
    ...(operation.deprecated
      ? [`        warnings.warn("${name} is deprecated.", DeprecationWarning, stacklevel=2)`]
      : []),
    '        return cast(',
    `            ${type},`,
    '            await self._call(',
    `                operations.${constant},`,
    ...(values.length === 0
      ? ['                {},']
      : ['                {', ...indented(values, 20), '                },']),
    '                timeout=timeout,',
    ...(takesIdempotencyKey(operation) ? ['                idempotency_key=idempotency_key,'] : []),
    '            ),',
    '        )',
  ]
}

/** Returns whether an operation lists things page by page. */
const isPaged = ({ parameters }: Operation) => parameters.some(({ name }) => name === 'cursor')

/** Returns a method that iterates over all pages of a list. */
function iterator(operation: Operation, models: Models): string[] {
  const list = argumentsOf(operation, models).filter(({ name }) => name !== 'cursor')
  const name = snakeCase(operation.name)
  if (!name.startsWith('list_'))
    throw new Error(`${operation.name} has a cursor, so its name must begin with list.`)
  const { items } = operation.answer.properties ?? {}
  const type = qualified(models.answerType(items?.items ?? {}, `${answerName(operation)}Item`))
  return [
    `    async def iter_${name.slice('list_'.length)}(`,
    '        self,',
    '        *,',
    ...indented(
      list.map((argument) => qualified(signature(argument))),
      8,
    ),
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
  const used = [
    'AsyncIterator',
    'Dict',
    'List',
    'Literal',
    'Mapping',
    'Optional',
    'Sequence',
    'Union',
    'cast',
  ].filter((name) => new RegExp(`\\b${name}\\b`).test(code))
  return [
    ...fileHeader('A method for each operation of the service.'),
    ...(code.includes('warnings.warn(') ? ['import warnings'] : []),
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
    const list = argumentsOf(operation, models)
    const tuple = (values: string[]) => (values.length === 1 ? `(${values[0]},)` : `(${values.join(', ')})`)
    const nullable = list.filter(({ isNullable }) => isNullable).map(({ field }) => literal(field))
    return [
      `${snakeCase(operation.name).toUpperCase()} = Operation(`,
      `    name=${literal(operation.name)},`,
      `    method=${literal(operation.method)},`,
      `    path=${literal(operation.path)},`,
      ...(operation.credentials.length > 0
        ? [`    credentials=${tuple(operation.credentials.map(literal))},`]
        : []),
      ...(['path', 'query', 'header', 'body'] as const).flatMap((place) => {
        const fields = list.filter((argument) => argument.place === place).map(({ field }) => literal(field))
        return fields.length > 0 ? [`    in_${place}=${tuple(fields)},`] : []
      }),
      ...(nullable.length > 0 ? [`    nullable=${tuple(nullable)},`] : []),
      ...(takesIdempotencyKey(operation) ? ['    takes_idempotency_key=True,'] : []),
      `    answer=${literal(answerKindOf(operation))},`,
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
