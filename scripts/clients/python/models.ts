/** The types of answers and inputs, as TypedDicts. */
import type { Operation, Schema } from '../document'
import { isIdentifier, literal, pascalCase } from './names'
import { docstring, fileHeader } from './text'

interface TypedDict {
  description: string
  members: { name: string; type: string; description: string }[]
}

/** Collects the named types of a document. A type without a name in the document is named after the place where it is used. */
export class Models {
  readonly #classes = new Map<string, TypedDict>()
  readonly #aliases = new Map<string, string>()

  constructor(schemas: Record<string, Schema>) {
    for (const [name, schema] of Object.entries(schemas)) this.#define(name, schema)
  }

  #define(name: string, schema: Schema): void {
    if (schema.properties !== undefined) this.#addClass(name, schema)
    else this.#aliases.set(name, this.#typeOf(schema, name))
  }

  /** Returns the type of a value. `place` names a type that the document does not name. */
  answerType(schema: Schema, place: string): string {
    return this.#typeOf(schema, place)
  }

  /** Returns the type of an argument: wider than the type of the same value in an answer. */
  argumentType(schema: Schema, place: string): string {
    if (schema.type === 'array' && schema.items) return `Sequence[${this.argumentType(schema.items, place)}]`
    if (isMap(schema)) return 'Mapping[str, object]'
    const alternatives = schema.anyOf?.map((one) => this.argumentType(one, place))
    return alternatives === undefined ? this.#typeOf(schema, place) : unionOf(alternatives)
  }

  #typeOf(schema: Schema, place: string): string {
    if (schema.$ref !== undefined) return nameOf(schema.$ref)
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`
    const alternatives = schema.anyOf ?? schema.oneOf
    if (alternatives !== undefined)
      return unionOf(alternatives.map((one) => this.#typeOf(one, `${place}${choiceName(one)}`)))
    if (Array.isArray(schema.type))
      return unionOf(schema.type.map((type) => this.#typeOf({ ...schema, type }, place)))
    if (schema.type === 'array') return `List[${this.#typeOf(schema.items ?? {}, `${place}Item`)}]`
    if (schema.type === 'object') return this.#objectType(schema, place)
    return scalarType(schema.type)
  }

  #objectType(schema: Schema, place: string): string {
    if (!isMap(schema)) return this.#addClass(place, schema)
    const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}
    return `Dict[str, ${this.#typeOf(values, `${place}Value`)}]`
  }

  #addClass(name: string, schema: Schema): string {
    const required = new Set(schema.required)
    const members = Object.entries(schema.properties ?? {}).map(([member, property]) => {
      const type = this.#typeOf(property, name + pascalCase(member))
      return {
        name: member,
        type: required.has(member) ? type : `NotRequired[${type}]`,
        description: property.description ?? '',
      }
    })
    const made = { description: schema.description ?? '', members }
    const known = this.#classes.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(made))
      throw new Error(`Two types would be called ${name}.`)
    this.#classes.set(name, made)
    return name
  }

  /** Returns the source of all types so far. */
  source(): string {
    const classes = [...this.#classes].sort(byName).map(([name, made]) => classSource(name, made))
    // After the classes, so that their names need no quotes.
    const aliases = [...this.#aliases].sort(byName).map(([name, type]) => `${name} = ${type}`)
    return [
      ...fileHeader('The types of the fields that the service takes and returns.'),
      'from typing import Dict, List, Literal, Optional, Union',
      '',
      'from typing_extensions import NotRequired, TypedDict',
      '',
      '#: Any JSON value. Not recursive, because programs that read types at run time, such as FastAPI, cannot follow that.',
      'JsonValue = Union[None, bool, int, float, str, List[object], Dict[str, object]]',
      ...classes,
      '',
      '',
      ...aliases,
      '',
    ].join('\n')
  }
}

const byName = ([left]: [string, unknown], [right]: [string, unknown]) => (left < right ? -1 : 1)

function classSource(name: string, { description, members }: TypedDict): string {
  const text = docstring(
    [
      description,
      members
        .filter((member) => member.description !== '')
        .map((member) => `- \`${member.name}\`: ${member.description}`)
        .join('\n'),
    ],
    4,
  )
  // A member such as `from` cannot be written in a class.
  const isPlain = members.every((member) => isIdentifier(member.name))
  const lines = isPlain
    ? [
        `class ${name}(TypedDict):`,
        ...text,
        ...(text.length > 0 && members.length > 0 ? [''] : []),
        ...members.map((member) => `    ${member.name}: ${quoteNames(member.type)}`),
      ]
    : [
        `${name} = TypedDict(`,
        `    "${name}",`,
        '    {',
        ...members.map((member) => `        ${JSON.stringify(member.name)}: ${quoteNames(member.type)},`),
        '    },',
        ')',
      ]
  return ['', '', ...lines].join('\n')
}

/** Writes the names of types as forward references, because the types are in alphabetical order. */
function quoteNames(type: string): string {
  const builtIn = /^(Dict|List|Literal|Optional|Union|NotRequired|None|True|False)$/
  return type.replaceAll(/"[^"]*"|[A-Z]\w*/g, (word) =>
    word.startsWith('"') || builtIn.test(word) ? word : `"${word}"`,
  )
}

function unionOf(types: string[]): string {
  const unique = [...new Set(types)]
  const rest = unique.filter((type) => type !== 'None')
  const union = rest.length === 1 ? (rest[0] ?? 'None') : `Union[${rest.join(', ')}]`
  return rest.length < unique.length ? `Optional[${union}]` : union
}

function scalarType(type: string | undefined): string {
  if (type === undefined) return 'JsonValue'
  const types: Record<string, string> = {
    string: 'str',
    integer: 'int',
    number: 'float',
    boolean: 'bool',
    null: 'None',
  }
  const found = types[type]
  if (found === undefined) throw new Error(`The type ${type} is not known.`)
  return found
}

/** An object without named members. */
function isMap(schema: Schema): boolean {
  return schema.type === 'object' && Object.keys(schema.properties ?? {}).length === 0
}

/** Returns the type of an argument that travels in the query, where every value is a text. */
export function queryType(schema: Schema): string {
  const choices = schema.enum ?? (schema.const === undefined ? null : [schema.const])
  if (choices === null) return Array.isArray(schema.type) ? 'str' : scalarType(schema.type)
  if (choices.every((value) => value === 'true' || value === 'false')) return 'bool'
  const isDigits = choices.every((value) => /^\d+$/.test(String(value)))
  return `Literal[${choices.map((value) => (isDigits ? value : literal(value))).join(', ')}]`
}

/** Returns the last part of a reference such as `#/components/schemas/Peck`. */
function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** Names the alternatives of an answer after their status or their `active`. */
function choiceName({ properties }: Schema): string {
  const constant = Object.entries(properties ?? {}).find(([, property]) => property.const !== undefined)
  if (constant === undefined) return ''
  const [name, { const: value }] = constant
  return pascalCase(value === true ? name : value === false ? `not_${name}` : String(value))
}

/** Returns the name for the type of an answer that the document does not name. */
export function answerName(operation: Operation): string {
  return `${pascalCase(operation.name)}Answer`
}
