/** When the service last heard of a session. A hook reads it at each call that matters, so this file loads nothing else. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../cli/files'
import type { Layout, ToolName } from './layout'

/** A session says so often that it works with the hook, in milliseconds. The service expects a word within three hours. */
export const heartbeatMs = 3_000_000

const heartbeatPath = ({ run }: Layout, tool: ToolName) => join(run, `heartbeat-${tool}.json`)

/** Notes a heartbeat that the service took. */
export const noteHeartbeat = (layout: Layout, tool: ToolName, session: string): Promise<void> =>
  replaceFile(heartbeatPath(layout, tool), JSON.stringify({ session }))

/** Returns when and for which session the last heartbeat of this computer reached the service, or null. */
export async function lastHeartbeat(
  layout: Layout,
  tool: ToolName,
): Promise<{ at: Date; session: string } | null> {
  const path = heartbeatPath(layout, tool)
  try {
    const { session } = JSON.parse(await readFile(path, 'utf8')) as { session: string }
    return { at: (await stat(path)).mtime, session }
  } catch {
    return null
  }
}
