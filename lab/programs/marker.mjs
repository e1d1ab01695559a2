/** An MCP server on standard input and output whose only tool makes the file that the command line names. */
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , mark = ''] = process.argv
const tools = [
  { name: 'mark', description: 'Makes the mark.', inputSchema: { type: 'object', properties: {} } },
]

function answer(method, params) {
  if (method === 'initialize') {
    const serverInfo = { name: 'marker', version: '1' }
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }
  }
  if (method === 'tools/list') return { tools }
  if (method !== 'tools/call') return {}
  writeFileSync(mark, '')
  return { content: [{ type: 'text', text: 'made' }] }
}

createInterface(process.stdin).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: answer(method, params) })}\n`)
})
