import { McpServer } from '@modelcontextprotocol/server'
import { config } from '@/lib/kernel/config'
import { version } from '@/lib/kernel/version'
import { revisionsWithInitialize } from './revisions'
import type { Connection } from './tool'
import { verifyAgent, verifyCertificate, verifyReceipt, whoami } from './tools/checks'
import { askPermission, cancelRequest, usePermission, waitForDecision } from './tools/permissions'

const tools = [
  askPermission,
  waitForDecision,
  usePermission,
  cancelRequest,
  verifyCertificate,
  verifyAgent,
  verifyReceipt,
  whoami,
]

const instructions = `Beak asks a person before you do something that matters.
1. ask_permission with the action and its parameters. The answer has the page where the person decides; show it to them.
2. wait_for_decision until the status is approved. There is no tool to approve: only the person can.
3. use_permission directly before you act, with the same parameters. Act only when it succeeds.
If a request is rejected, expired or cancelled, do not act. When you no longer need the answer, call cancel_request.`

/** Returns the server for one HTTP request. Nothing stays between requests, so any instance can answer the next one. */
export function makeServer(connection: Connection): McpServer {
  const server = new McpServer(
    { name: 'beak', title: 'Beak', version, websiteUrl: config().baseUrl },
    {
      instructions,
      // The tools never change while the server runs.
      capabilities: { tools: { listChanged: false } },
      supportedProtocolVersions: revisionsWithInitialize,
    },
  )
  for (const tool of tools) tool.register(server, connection)
  return server
}
