/** The launcher and the helper: whatever is missing, killed or hostile, a call that matters does not run without a person. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readState } from '../../src/connect/state'
import { aComputer, type Computer, callEvent, decisionIn, removeComputers } from './connected'

let computer: Computer
const children: ChildProcess[] = []
beforeEach(async () => {
  computer = await aComputer('http://127.0.0.1:9', { target: 'DUCK-0', key: 'beak_AGT-0_0' })
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await removeComputers()
})

const call = (command: string) => computer.run('claude', 'PreToolUse', callEvent(computer, command)).ended
const push = () => call('git push')
const blocked = { code: 2, stdout: '', stderr: expect.stringContaining('Beak could not be asked') }

/** Starts the helper and waits until it listens. */
async function startHelper(): Promise<ChildProcess> {
  const { program } = await readState(computer.layout)
  const child = spawn(process.execPath, [program, 'helper'], {
    env: { NODE_ENV: 'test', PATH: process.env.PATH, HOME: computer.home },
  })
  children.push(child)
  await expect.poll(() => existsSync(computer.layout.proof), { timeout: 20_000 }).toBe(true)
  return child
}

/** Makes the program of the hooks fail, so that only the helper can let a call pass. */
const breakProgram = async () => writeFileSync((await readState(computer.layout)).program, 'process.exit(3)')

describe('the launcher', () => {
  it('blocks when it is not there', async () => {
    rmSync(computer.layout.launcher)
    expect(await push()).toMatchObject(blocked)
  })

  it('blocks when it may not be started', async () => {
    chmodSync(computer.layout.launcher, 0o600)
    expect(await push()).toMatchObject(blocked)
  })

  it.each([
    ['ends with 1', 'process.exit(1)'],
    ['ends with 0 and prints nothing', ''],
    ['prints garbage', "console.log('{oops')"],
    ['prints an answer and more', "console.log('{}');console.log('{}')"],
    ['prints another answer', `console.log('{"decision":"approve"}')`],
    ['is killed', "process.kill(process.pid, 'SIGKILL')"],
    ['throws', 'throw new Error()'],
  ])('blocks when the program %s', async (_, code) => {
    writeFileSync((await readState(computer.layout)).program, code)
    expect(await push()).toMatchObject({
      ...blocked,
      stderr: expect.stringContaining('Beak could not be asked'),
    })
  })

  it('blocks when the program is not there', async () => {
    rmSync(dirname((await readState(computer.layout)).program), { recursive: true })
    expect(await push()).toMatchObject(blocked)
  })

  it('passes input with quotes, lines and other scripts on as it is', async () => {
    await startHelper()
    const word = `"one"\n$HOME \`id\` \\ übrig 鴨`
    expect(decisionIn(await call(`grep -rn '${word}' .`))).toBeNull()
    expect(decisionIn(await call(`git push '${word}'`))).toMatchObject({ behavior: 'deny' })
  })
})

describe('the helper', () => {
  it('answers for harmless calls alone', async () => {
    await startHelper()
    await breakProgram()
    expect(decisionIn(await call('git status'))).toBeNull()
    expect(await push()).toMatchObject(blocked)
  })

  it('is started once, and again after it was killed', async () => {
    const first = await startHelper()
    const proof = readFileSync(computer.layout.proof, 'utf8')
    const second = await startHelper()
    await once(second, 'exit')
    expect(readFileSync(computer.layout.proof, 'utf8')).toBe(proof)
    first.kill('SIGKILL')
    await once(first, 'exit')
    expect(decisionIn(await call('git status'))).toBeNull()
    await startHelper()
    await expect.poll(() => readFileSync(computer.layout.proof, 'utf8')).not.toBe(proof)
  })

  it('leaves every call to the program in the mode strict', async () => {
    await startHelper()
    await computer.change('claude', { mode: 'strict' })
    await breakProgram()
    expect(await call('git status')).toMatchObject(blocked)
  })

  it('ends when the connection is removed', async () => {
    const child = await startHelper()
    rmSync(computer.layout.folder, { recursive: true })
    await once(child, 'exit')
  })

  it.each([
    ['an empty answer', ''],
    ['an opinion', '{}'],
    ['a guessed secret', '0'.repeat(64)],
  ])('of a hostile program that took the socket gives nothing with %s', async (_, answer) => {
    const helper = await startHelper()
    const proof = readFileSync(computer.layout.proof, 'utf8').trim()
    helper.kill('SIGKILL')
    await once(helper, 'exit')
    rmSync(computer.layout.socket)
    const hostile = createServer((_, response) => void response.end(answer))
    await new Promise<void>((resolve) => hostile.listen(computer.layout.socket, resolve))
    try {
      expect(answer).not.toBe(proof)
      expect(decisionIn(await push())).toMatchObject({ behavior: 'deny' })
    } finally {
      hostile.close()
    }
  })

  it('refuses callers without its secret', async () => {
    await startHelper()
    writeFileSync(computer.layout.header, `X-Beak-Helper: ${'0'.repeat(64)}\n`)
    await breakProgram()
    expect(await call('git status')).toMatchObject(blocked)
  })
})
