/**
 * Tells calls apart whose secrets are masked: two commands that differ in a password alone look the same to the person and to the service, and a
 * permission for the one must not cover the other. The key stays on this computer, so nobody can try passwords against it.
 */
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hideSecrets } from '@beak/decision/secret-values'
import type { Layout } from '../layout'
import type { Asked } from './describe'
import type { ToolEvent } from './event'

/** Returns the param for a call with masked secrets, and none for any other. */
export async function fingerprintOf(
  { key }: Layout,
  { params }: Asked,
  { tool_name, tool_input }: ToolEvent,
): Promise<{ fingerprint?: string }> {
  const input = JSON.stringify([tool_name, tool_input])
  const isWhole = tool_input.command === undefined || tool_input.command === params.command
  if (isWhole && hideSecrets(input) === input) return {}
  const hash = createHmac('sha256', await readFile(key))
    .update(input)
    .digest('hex')
  return { fingerprint: hash.slice(0, 32) }
}
