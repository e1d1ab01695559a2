/** Starts `shop.py`, the shop that uses the Python client, in a process of its own. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { atEnd } from '@/lab/bench/cleanup'
import { findPython, makePythonClient } from '@/scripts/verifiers.mjs'

export interface PythonShop {
  /** Returns the result of a task of `shop.py`. Throws when the task fails. */
  run(task: string, input: object): Promise<boolean>
}

const packages = ['python3-httpx', 'python3-jwt', 'python3-cryptography', 'python3-typing-extensions']

/** Returns the command of a Python that can run the shop, or null. */
export const findShopPython = () =>
  findPython(['httpx', 'jwt', 'cryptography', 'typing_extensions'], packages)

/** Starts Python with the client of this repository. Throws when Python or a package is missing. */
export function startPython(): PythonShop {
  const python = findShopPython()
  if (python === null) throw new Error(`Python needs the packages of Debian ${packages.join(', ')}.`)
  makePythonClient(python)
  const child = spawn(python, ['-B', join('lab', 'liar', 'shops', 'shop.py')], {
    env: { ...process.env, PYTHONPATH: join('packages', 'client-python', 'src') },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  atEnd(() => void child.kill())
  const waiting: ((line: string | null) => void)[] = []
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line))
  child.once('exit', () => {
    for (const answer of waiting.splice(0)) answer(null)
  })
  return {
    run: async (task, input) => {
      const answer = new Promise<string | null>((resolve) => waiting.push(resolve))
      child.stdin.write(`${JSON.stringify({ do: task, ...input })}\n`)
      const line = await answer
      if (line === null) throw new Error('the shop in Python has ended')
      const { result, error } = JSON.parse(line) as { result?: boolean; error?: string }
      if (result === undefined) throw new Error(`the shop in Python failed: ${error}`)
      return result
    },
  }
}
