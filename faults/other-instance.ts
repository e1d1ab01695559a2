/** Another instance of the service, a process of its own, on the same database and through the same proxy. */
import { once } from 'node:events'
import type { Answer, CallOptions } from '@/app/beak/_api/call'
import { atEnd } from '@/bench/cleanup'
import { startInstance } from '@/lib/fixtures/child-process'

export interface OtherInstance {
  /** Calls the instance. Throws without an answer. */
  send(line: string, options: CallOptions): Promise<Pick<Answer, 'status' | 'body'>>
  /** Ends the process at once. */
  kill(): void
}

export async function startOther(): Promise<OtherInstance> {
  const { child } = startInstance('app/beak/_api/instance.ts', { LOG_LEVEL: 'silent' })
  const kill = () => void child.kill('SIGKILL')
  atEnd(kill)
  const [port] = await once(child.stdout, 'data')
  const send: OtherInstance['send'] = async (line, { token, body }) => {
    const [method = 'GET', path = '/'] = line.split(' ')
    const answer = await fetch(`http://127.0.0.1:${Number(String(port))}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  }
  return { send, kill }
}
