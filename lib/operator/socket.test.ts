/** The operator's socket, with client and server in this process. Each test has a folder of its own. */
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { socketPath } from '@/lib/kernel/runtime/operator-socket'
import { lineReader, runInServer } from './client'
import { type CommandSocket, listenForCommands, type Perform } from './socket'

const folders: string[] = []
const listening = new Set<CommandSocket>()
afterEach(async () => {
  for (const socket of listening) await socket.stop(0)
  listening.clear()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'beak-op-'))
  folders.push(folder)
  return join(folder, 'operator.sock')
}

/** Returns a promise and the function that resolves it, for a command that runs until the test ends it. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

async function listen(path: string, perform: Perform): Promise<CommandSocket> {
  const socket = await listenForCommands(path, perform)
  if (socket === null) throw new Error('the socket does not listen')
  listening.add(socket)
  return socket
}

/** Starts a command through the socket. `printed` gets its lines while the command runs. */
function start(path: string, command: string, ...args: string[]) {
  const printed: string[] = []
  const { open, opened } = gate()
  const print = (line: string) => {
    printed.push(line)
    open()
  }
  const ended = runInServer(path, { command, args, secrets: '' }, { out: print, err: print })
  return { printed, ended, firstLine: opened }
}

/** Connects and sends a text. `text` resolves with the whole answer. */
async function raw(path: string, sent: string) {
  const socket = connect(path)
  await once(socket, 'connect')
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answer += chunk
  })
  const text = once(socket, 'close').then(() => answer)
  socket.write(sent)
  return { socket, text }
}

const request = (command: string) => `${JSON.stringify({ command, args: [], secrets: '' })}\n`

describe('the operator’s socket', () => {
  it('transmits the arguments, every line in order, and the exit code', async () => {
    const path = newPath()
    await listen(path, async ({ command, args }, { out, err }) => {
      out(`${command} ${args.join('|')}`)
      err('two\nlines')
      out('ü €')
      return 7
    })
    const { printed, ended } = start(path, 'count', 'a b', '--from=c\n', '')
    expect(await ended).toBe(7)
    expect(printed).toEqual(['count a b|--from=c\n|', 'two\nlines', 'ü €'])
  })

  it('transmits a line before the command has ended', async () => {
    const path = newPath()
    const rest = gate()
    await listen(path, async (_, { out }) => {
      out('half')
      await rest.opened
      return 0
    })
    const { printed, ended, firstLine } = start(path, 'slow')
    await firstLine
    expect(printed).toEqual(['half'])
    rest.open()
    expect(await ended).toBe(0)
  })

  // security: backup-18
  it('is readable and writable by its owner only, and is removed at the end', async () => {
    const path = newPath()
    const socket = await listen(path, async () => 0)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await socket.stop()
    expect(existsSync(path)).toBe(false)
  })

  it('replaces the file of a killed process', async () => {
    const path = newPath()
    writeFileSync(path, '')
    await listen(path, async () => 3)
    expect(await start(path, 'any').ended).toBe(3)
  })

  it('returns null when no server listens', async () => {
    const path = newPath()
    expect(await start(path, 'any').ended).toBeNull()
    writeFileSync(path, '')
    expect(await start(path, 'any').ended).toBeNull()
  })

  it('has no path when the path would be too long', () => {
    const room = 'd'.repeat(30)
    expect(socketPath(join(process.cwd(), room))).toBe(join(room, 'operator.sock'))
    expect(socketPath(join('/', ...Array.from({ length: 5 }, () => room)))).toBeNull()
  })
})

describe('two simultaneous commands', () => {
  it('run one after the other, and the second client gets a message', async () => {
    const path = newPath()
    const [first, order] = [gate(), [] as string[]]
    await listen(path, async ({ command }, { out }) => {
      order.push(`${command} begins`)
      if (command === 'first') {
        out('begun')
        await first.opened
      }
      order.push(`${command} ends`)
      return 0
    })
    const one = start(path, 'first')
    await one.firstLine
    const two = start(path, 'second')
    await two.firstLine
    expect(two.printed).toEqual(['Waiting until first has ended.'])
    expect(order).toEqual(['first begins'])
    first.open()
    expect(await Promise.all([one.ended, two.ended])).toEqual([0, 0])
    expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
  })
})

describe('a client that disconnects', () => {
  it('does not interrupt its running command', async () => {
    const path = newPath()
    const [rest, after] = [gate(), gate()]
    const order: string[] = []
    await listen(path, async ({ command }, { out }) => {
      out(`${command} begun`)
      if (command === 'slow') {
        await rest.opened
        out('nobody reads this')
      }
      order.push(command)
      after.open()
      return 0
    })
    const { socket, text } = await raw(path, request('slow'))
    await once(socket, 'data')
    socket.destroy()
    await text
    rest.open()
    await after.opened
    expect(await start(path, 'next').ended).toBe(0)
    expect(order).toEqual(['slow', 'next'])
  })

  it('cancels its waiting command', async () => {
    const path = newPath()
    const rest = gate()
    const order: string[] = []
    await listen(path, async ({ command }, { out }) => {
      order.push(command)
      out('begun')
      if (command === 'slow') await rest.opened
      return 0
    })
    const slow = start(path, 'slow')
    await slow.firstLine
    const gone = await raw(path, request('gone'))
    await once(gone.socket, 'data')
    gone.socket.destroy()
    await gone.text
    const last = start(path, 'last')
    await last.firstLine
    rest.open()
    expect(await Promise.all([slow.ended, last.ended])).toEqual([0, 0])
    expect(order).toEqual(['slow', 'last'])
  })
})

describe('a server that stops', () => {
  it('waits for the running command, and refuses waiting commands', async () => {
    const path = newPath()
    const rest = gate()
    const socket = await listen(path, async (_, { out }) => {
      out('begun')
      await rest.opened
      out('done')
      return 0
    })
    const one = start(path, 'one')
    await one.firstLine
    const two = start(path, 'two')
    await two.firstLine
    const stopped = socket.stop(60_000)
    rest.open()
    await stopped
    expect(await one.ended).toBe(0)
    expect(one.printed).toEqual(['begun', 'done'])
    expect(await two.ended).toBe(1)
    expect(two.printed.at(-1)).toMatch(/is stopping, so the command was not run/)
    expect(await start(path, 'three').ended).toBeNull()
  })

  it('sends a message to the client of a command that does not end in time', async () => {
    const path = newPath()
    const socket = await listen(path, async (_, { out }) => {
      out('begun')
      await gate().opened
      return 0
    })
    const { printed, ended, firstLine } = start(path, 'endless')
    await firstLine
    await socket.stop(10)
    expect(await ended).toBe(1)
    expect(printed.at(-1)).toMatch(/stopped before the command had ended/)
  })

  it('causes an error in the command line when it is killed', async () => {
    const path = newPath()
    const { createServer } = await import('node:net')
    const killed = createServer((socket) => socket.once('data', () => socket.destroy())).listen(path)
    await once(killed, 'listening')
    await expect(start(path, 'any').ended).rejects.toThrow(/ended before the command did/)
    killed.close()
  })
})

describe('an invalid request', () => {
  it.each([
    ['GET / HTTP/1.1\r\n\r\n'],
    ['{"command":"any"}\n'],
    ['{"command":"any","args":[],"secrets":"","more":1}\n'],
    ['null\n'],
  ])('is refused: %j', async (sent) => {
    const path = newPath()
    await listen(path, async () => 0)
    const { text } = await raw(path, sent)
    expect(await text).toMatch(/not a request[^\n]*\n\{"exit":1\}\n$/)
  })

  it('does not block other clients', async () => {
    const path = newPath()
    await listen(path, async () => 0)
    const silent = await raw(path, '')
    const { text } = await raw(path, 'x'.repeat(2_500_000))
    expect(await text).toMatch(/not a request/)
    expect(await start(path, 'any').ended).toBe(0)
    silent.socket.destroy()
  })
})

describe('lineReader', () => {
  it('joins the pieces of a line', () => {
    const read = lineReader()
    expect(['a', 'b\nc\n', '', 'd', '\n'].map(read)).toEqual([[], ['ab', 'c'], [], [], ['d']])
  })
})
