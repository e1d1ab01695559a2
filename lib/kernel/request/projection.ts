/**
 * Projects answers and the data of webhooks: returns the fields that a schema names, with times as texts. So a new column cannot leak. A
 * projection is made once from a schema. It checks the types of values and whether a field is missing, but no lengths and patterns: our own code
 * made the value, and tests compare each projection with what the schema makes of it (`onProjection`). zod takes three times as long for a list.
 */
import { z } from 'zod'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { instantText } from '@/lib/kernel/text/instant'
import { instant } from './fields'

type Project = (value: unknown) => unknown

const projections = new WeakMap<z.core.$ZodType, Project>()

type Check = (schema: z.ZodType, value: unknown, projected: unknown) => void

const inspection = () => singleton('projection.check', () => ({ check: null as Check | null }))

/** Calls `check` with each projection. For tests: they compare each with the result of the schema, so a call need not. @internal */
export function onProjection(check: Check): void {
  inspection().check = check
}

/** Returns the projection of a value. Throws the error of the schema for a value of another type. */
export function project(schema: z.ZodType, value: unknown): unknown {
  const projected = projectedBy(schema, value)
  inspection().check?.(schema, value, projected)
  return projected
}

function projectedBy(schema: z.ZodType, value: unknown): unknown {
  try {
    return projectionOf(schema)(value)
  } catch (error) {
    // The schema's own error has the path of the field.
    schema.parse(value)
    throw error
  }
}

/** Returns the function that projects values of a schema. */
export function projectionOf(schema: z.core.$ZodType): Project {
  const known = projections.get(schema)
  if (known !== undefined) return known
  const made = makeProjection(schema)
  projections.set(schema, made)
  return made
}

function makeProjection(schema: z.core.$ZodType): Project {
  // For kinds of schemas that are not listed below, and for values of another type.
  const parsed: Project = (value) => z.parse(schema, value)
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return changesText(def) ? parsed : (value) => (typeof value === 'string' ? value : parsed(value))
    case 'number':
      return (value) => (Number.isFinite(value) ? value : parsed(value))
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? value : parsed(value))
    case 'enum':
      return oneOf(new Set(Object.values(def.entries)), parsed)
    case 'literal':
      return oneOf(new Set(def.values), parsed)
    case 'unknown':
      return (value) => value
    case 'nullable': {
      const project = projectionOf(def.innerType)
      return (value) => (value === null ? null : project(value))
    }
    case 'optional': {
      const project = projectionOf(def.innerType)
      return (value) => (value === undefined ? undefined : project(value))
    }
    case 'array': {
      const project = projectionOf(def.element)
      return (value) => (Array.isArray(value) ? value.map(project) : parsed(value))
    }
    case 'object':
      return def.catchall === undefined ? projectObject(def.shape, parsed) : parsed
    case 'union': {
      const [first] = def.options
      return first === undefined ? parsed : projectFirst(projectionOf(first), parsed)
    }
    case 'pipe':
      // A copy of `instant` with a description of its own has the same parts.
      return def.out === instant.def.out
        ? (value) => (value instanceof Date ? instantText(value) : parsed(value))
        : parsed
    default:
      return parsed
  }
}

/** Whether a schema changes a text, as `trim` does. */
function changesText({ checks = [] }: z.core.$ZodStringDef): boolean {
  return checks.some(({ _zod }) => _zod.def.check === 'overwrite')
}

const oneOf =
  (values: ReadonlySet<unknown>, otherwise: Project): Project =>
  (value) =>
    values.has(value) ? value : otherwise(value)

/** Projects values of the first of several schemas. The schema itself finds the one of another value. */
const projectFirst =
  (project: Project, otherwise: Project): Project =>
  (value) => {
    try {
      return project(value)
    } catch {
      return otherwise(value)
    }
  }

function projectObject(shape: Readonly<Record<string, z.core.$ZodType>>, otherwise: Project): Project {
  const fields = Object.entries(shape).map(([name, schema]) => ({ name, project: projectionOf(schema) }))
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date)
      return otherwise(value)
    const projected: Record<string, unknown> = {}
    for (const { name, project } of fields) {
      const member = project((value as Record<string, unknown>)[name])
      if (member !== undefined) projected[name] = member
    }
    return projected
  }
}
