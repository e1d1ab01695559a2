import { m } from '@/lib/kernel/messages'
import type { Parameter } from './reference'
import { type Components, type Field, fieldsOf, notesOf, type Schema, shapesOf, typeOf } from './schema'

/** The fields of a body or a response, with one list for each shape. */
export function SchemaFields({
  schema,
  components,
  isInput = false,
}: {
  schema: Schema
  components: Components
  isInput?: boolean
}) {
  const shapes = shapesOf(schema, components)
  return shapes.map((shape, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: shapes have no names and keep their order
    <div key={index}>
      {shapes.length > 1 ? (
        <p className="mt-4 text-sm font-semibold">{index === 0 ? 'Either' : 'Or'}</p>
      ) : null}
      <FieldList fields={fieldsOf(shape, components)} isInput={isInput} />
    </div>
  ))
}

/** Parameters of the query, the path and the headers. */
export function ParameterFields({
  parameters,
  components,
}: {
  parameters: Parameter[]
  components: Components
}) {
  const fields = parameters.map(({ name, required, description, schema }) => ({
    name,
    type: typeOf(schema, components),
    isRequired: required ?? false,
    notes: notesOf(schema),
    description: description ?? schema.description ?? null,
  }))
  return <FieldList fields={fields} isInput />
}

function FieldList({ fields, isInput }: { fields: Field[]; isInput: boolean }) {
  if (fields.length === 0) return <p className="mt-2 text-sm text-soft">{m.docs_api_no_fixed_fields()}</p>
  return (
    <dl className="mt-2 border-t border-line text-sm">
      {fields.map(({ name, type, isRequired, notes, description }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two forms of a field can have members with the same name
        <div key={index} className="border-b border-line py-2 last:border-b-0">
          <dt className="flex flex-wrap items-baseline gap-x-3">
            <code translate="no" className="font-semibold wrap-anywhere">
              {name}
            </code>
            {isInput && isRequired ? (
              <span className="text-xs font-semibold">{m.docs_api_required()}</span>
            ) : null}
            {isInput || isRequired ? null : (
              <span className="text-xs text-soft">{m.docs_api_optional()}</span>
            )}
          </dt>
          <dd className="text-soft wrap-anywhere">
            {[type, ...notes].join(', ')}
            {description ? <span className="block text-ink">{description.replaceAll('`', '')}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}
