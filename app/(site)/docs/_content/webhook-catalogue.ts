/** The catalogue of webhook messages: each kind with its members and an example, from the same declaration as the API reference. */
import { convertAnswer } from '@/lib/http/openapi-schemas'
import { exampleMessage } from '@/lib/http/openapi-webhooks'
import { type WebhookKind, webhookKinds, webhookMessages } from '@/lib/infrastructure/events/kinds'
import { type Components, type Field, fieldsOf } from '../api/schema'
import { markdownTable } from './markdown-table'

/** The address of a kind on the page of the catalogue. */
const anchorOf = (kind: WebhookKind) => kind.replaceAll(/[._]/g, '-')

/** Returns the kinds with links to the catalogue, and when each is sent. */
export function webhookKindTable(): string {
  return markdownTable(
    ['Kind', 'Sent when'],
    webhookKinds.map((kind) => [
      `[\`${kind}\`](/docs/webhook-events#${anchorOf(kind)})`,
      webhookMessages[kind].when(),
    ]),
  )
}

/** Returns a part for each kind: when it is sent, the members of its data, and a whole message. */
export function webhookCatalogue(): string {
  const components: Components = {}
  const firstKinds = new Map<string, WebhookKind>()
  return webhookKinds
    .map((kind) => {
      const { data, when } = webhookMessages[kind]
      const schema = convertAnswer(data, components as Record<string, unknown>)
      const name = data.meta()?.id ?? kind
      const first = firstKinds.get(name)
      if (first === undefined) firstKinds.set(name, kind)
      return [
        `## \`${kind}\``,
        `${when()}.`,
        first === undefined
          ? memberTable(fieldsOf(schema, components))
          : `\`data\` has the same members as that of [\`${first}\`](#${anchorOf(first)}).`,
        `\`\`\`json\n${JSON.stringify(exampleMessage(kind), null, 2)}\n\`\`\``,
      ].join('\n\n')
    })
    .join('\n\n')
}

function memberTable(fields: Field[]): string {
  return markdownTable(
    ['Member of `data`', 'Type', 'Meaning'],
    fields.map(({ name, type, notes, isRequired, description }) => [
      `\`${name}\``,
      [type, ...notes, ...(isRequired ? [] : ['not always there'])].join(', ').replaceAll('|', '\\|'),
      (description ?? '').replaceAll('|', '\\|').replaceAll('\n', ' '),
    ]),
  )
}
