import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { table } from '@/app/beak/_api/table'
import { openapiDocument } from '@/lib/http/openapi'
import { webhookKinds, webhookMessages } from '@/lib/infrastructure/events/kinds'
import { writtenText } from '../_markdown/pages'
import { blocksOf } from './blocks'
import { findPage } from './pages'

const page = await findPage('webhook-events')
if (page === null) throw new Error('The page is missing.')
const markdown = writtenText(page)
const html = (await blocksOf(page.body)).map((block) => (block.kind === 'prose' ? block.html : '')).join('')

const document = openapiDocument(table, 'test') as unknown as {
  webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: object } } } } }>
  components: object
}
const ajv = new Ajv({ strict: false, validateFormats: true })
addFormats(ajv)
ajv.addSchema({ $id: 'document', components: document.components })

/** Returns the part of the Markdown page about a kind. */
function partOf(kind: string): string {
  const [, rest = ''] = markdown.split(`\n## \`${kind}\`\n`)
  return rest.split('\n## ')[0] ?? ''
}

describe('the catalogue of webhook events', () => {
  it.each(webhookKinds)('says when %s is sent, and has an anchor and a link for it', async (kind) => {
    const anchor = kind.replaceAll(/[._]/g, '-')
    expect(html).toContain(`<h2 id="${anchor}"><code>${kind}</code></h2>`)
    expect(partOf(kind)).toContain(webhookMessages[kind].when())
    expect((await findPage('webhooks'))?.body).toContain(`[\`${kind}\`](/docs/webhook-events#${anchor})`)
  })

  it.each(webhookKinds)('has a message of %s that fits its schema in the OpenAPI document', (kind) => {
    const [, example = ''] = /```json\n([\s\S]*?)\n```/.exec(partOf(kind)) ?? []
    const { schema } = document.webhooks[kind]?.post.requestBody.content['application/json'] ?? {}
    const references = JSON.stringify(schema).replaceAll('"#/components', '"document#/components')
    const validate = ajv.compile(JSON.parse(references))
    expect([validate(JSON.parse(example)), validate.errors]).toEqual([true, null])
    expect(JSON.parse(example).type).toBe(kind)
  })

  it.each(webhookKinds)('names each member of the data of %s', (kind) => {
    const [, first] = /same members as that of \[`([\w.]+)`\]/.exec(partOf(kind)) ?? []
    const [, example = ''] = /```json\n([\s\S]*?)\n```/.exec(partOf(kind)) ?? []
    for (const member of Object.keys(JSON.parse(example).data))
      expect(partOf(first ?? kind), member).toContain(`\n| \`${member}\` |`)
  })
})
