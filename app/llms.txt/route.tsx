import { readMarkdownPages } from '@/app/(site)/docs/_markdown/pages'
import { config } from '@/lib/kernel/config'

// The text has the address of the service, which is known when it runs.
export const dynamic = 'force-dynamic'

/** Answers what Beak is and where its documentation is, for language models (llmstxt.org). */
export async function GET(): Promise<Response> {
  const { baseUrl } = config()
  const pages = await readMarkdownPages()
  const list = (isReference: boolean) =>
    pages
      .filter(({ path }) => path.startsWith('/docs/api') === isReference)
      .map(({ path, title, description }) => `- [${title}](${baseUrl}${path}.md): ${description}`)
      .join('\n')
  const text = `# Beak

> Beak gives people an identity with a trust tier, and their agents a key and a bond. Before an agent does something that matters, it asks a person. The person approves or rejects on a page of Beak, and the permission is valid for exactly the parameters that were approved.

- An agent asks with \`POST ${baseUrl}/beak/peck/request\`, waits with \`GET ${baseUrl}/beak/peck/status\`, and uses the permission with \`POST ${baseUrl}/beak/peck/consume\`.
- MCP clients connect to \`${baseUrl}/mcp\` with \`Authorization: Bearer beak_…\`.
- The TypeScript and the Python client are at ${baseUrl}/clients/, which is a list of the files as JSON with \`Accept: application/json\`. They are in no public registry.
- Every error is a problem document whose \`action\` says what to do next.

## Docs

${list(false)}

## API reference

${list(true)}

## Optional

- [All guides as one text](${baseUrl}/llms-full.txt): every page above without the longest documents
- [OpenAPI 3.1 document](${baseUrl}/beak/openapi.json): all operations, fields and errors
- [Status of the service](${baseUrl}/status): what works now
`
  return new Response(text, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}
