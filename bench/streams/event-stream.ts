/** A client of event streams that only notes which pecks arrive. */
import { Agent, get } from 'node:http'
import { bearer } from '../scenarios/world'

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })

/** Returns a function that takes the text of a stream in pieces and calls `onPeck` with the id of each peck in it. */
export function peckReader(onPeck: (id: string) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('id: ')) onPeck(line.slice('id: '.length))
  }
}

export interface StreamEvents {
  onPeck: (id: string) => void
  /** The stream has ended, which an open stream must not do. */
  onEnd: () => void
}

/** Opens a stream of pecks. Returns when the service has sent its first message. */
export function openStream(origin: string, token: string, { onPeck, onEnd }: StreamEvents): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(`${origin}/beak/peck/stream`, { agent, headers: bearer({ token }) }, (response) => {
      if (response.statusCode !== 200)
        return reject(new Error(`a stream was refused: ${response.statusCode}`))
      response.setEncoding('utf8')
      response.once('data', resolve)
      response.on('data', peckReader(onPeck))
      response.on('close', onEnd)
    })
    request.on('error', reject)
  })
}
