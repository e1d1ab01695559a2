import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { atEnd } from '../cleanup'
import type { Arrivals } from './push-services'

export interface PushServices {
  port: number
  /** Returns what arrived since the last call, and how many messages the slow service got. */
  take(): Promise<{ arrivals: Arrivals; unanswered: number }>
}

async function next<T>(child: ChildProcess): Promise<T> {
  const [message] = await once(child, 'message')
  return message as T
}

export async function startPushServices(): Promise<PushServices> {
  const child = fork(fileURLToPath(new URL('push-services.ts', import.meta.url)))
  atEnd(() => void child.kill())
  const { port } = await next<{ port: number }>(child)
  return {
    port,
    take() {
      const answer = next<{ arrivals: Arrivals; unanswered: number }>(child)
      child.send('take')
      return answer
    },
  }
}
