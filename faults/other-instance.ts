/** Another instance of the service, a process of its own, on the same database and through the same proxy. */
import { once } from 'node:events'
import type { Answer, CallOptions } from '@/app/beak/_api/call'
import { atEnd } from '@/bench/cleanup'
import { startInstance } from '@/lib/fixtures/child-process'

/** Starts the instance. Returns a function that calls it, and that throws without an answer. */
export async function startOther(): Promise<
  (line: string, options: CallOptions) => Promise<Pick<Answer, 'status' | 'body'>>
> {
  const { child } = startInstance('app/beak/_api/instance.ts', { LOG_LEVEL: 'silent' })
  atEnd(() => void child.kill('SIGKILL'))
  const [port] = await once(child.stdout, 'data')
  return async (line, { token, body }) => {
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
}
