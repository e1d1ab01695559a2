/**
 * The steps that prepare the service. On a terminal, a bar shows the step and its time. Elsewhere, each step prints a line when it starts and
 * one when it ends.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Returns a digest of files and folders below the root, without generated files and tests. */
export function digest(paths, tool = '') {
  const hash = createHash('sha256').update(process.version).update(tool)
  const visit = (path) => {
    const full = join(root, path)
    if (
      !existsSync(full) ||
      /(^|\/)(generated|node_modules|__pycache__|\.next)$/.test(path) ||
      /\.test\.tsx?$/.test(path)
    )
      return
    if (statSync(full).isDirectory()) for (const name of readdirSync(full).sort()) visit(`${path}/${name}`)
    else hash.update(path).update(readFileSync(full))
  }
  for (const path of paths) visit(path)
  return hash.digest('hex')
}

/** Runs a program and returns its output. Rejects when it fails. */
export async function run(command, args, env = {}) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const [stdout, stderr] = [[], []]
  child.stdout.on('data', (chunk) => stdout.push(chunk))
  child.stderr.on('data', (chunk) => stderr.push(chunk))
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      stderr.push(Buffer.from(`${error.message}\n`))
      resolve(null)
    })
    child.once('close', resolve)
  })
  const output = Buffer.concat(stdout).toString()
  if (code === 0) return output
  clearBar()
  process.stderr.write(`${output}${Buffer.concat(stderr)}`)
  throw new Error(`${command} ${args.join(' ')} failed`)
}

/** Whether the stamp of a step has the digest of its sources, and its output exists. */
export function isDone({ stamp, output, sources, tool }, now = digest(sources, tool)) {
  const path = join(root, stamp)
  return existsSync(path) && existsSync(join(root, output)) && readFileSync(path, 'utf8') === now
}

/**
 * Runs a step, unless it is done. Returns whether it ran.
 *
 * @param {{ title: string, seconds: number, stamp: string, output: string, sources: string[], tool?: string }} step `seconds`: what the step
 *   takes on an idle machine with 2 cores. `tool`: the version of another program.
 * @param {() => unknown} work
 */
export async function step({ title, seconds, ...files }, work) {
  const now = digest(files.sources, files.tool)
  if (isDone(files, now)) return false
  const end = begin({ title, seconds, started: Date.now() })
  try {
    await work()
  } catch (error) {
    end('failed')
    throw error
  }
  mkdirSync(dirname(join(root, files.stamp)), { recursive: true })
  writeFileSync(join(root, files.stamp), now)
  end('done')
  return true
}

const secondsOf = ({ started }) => (Date.now() - started) / 1000

/** Steps that run now. The bar shows the step that takes longest. */
const running = new Set()
let timer

/** Shows a step. Returns a function that shows how it ended. */
function begin(shown) {
  const { stdout } = process
  running.add(shown)
  if (stdout.isTTY) {
    drawBar()
    timer ??= setInterval(drawBar, 200)
  } else stdout.write(`${shown.title} …\n`)
  return (outcome) => {
    running.delete(shown)
    clearBar()
    stdout.write(`${shown.title}: ${outcome} (${secondsOf(shown).toFixed(1)} s)\n`)
    if (running.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/**
 * Returns the bar of some steps, at most `columns` wide. A step that takes longer than usual stays just before its end.
 *
 * @param {{ title: string, seconds: number, started: number }[]} steps
 * @param {number} columns
 */
export function barOf(steps, columns) {
  const [longest] = steps.toSorted((a, b) => b.seconds - a.seconds)
  const cells = 20
  const filled = Math.min(cells - 1, Math.floor((secondsOf(longest) / longest.seconds) * cells))
  const bar = '█'.repeat(filled) + '░'.repeat(cells - filled)
  const time = `${Math.floor(secondsOf(longest))} s of about ${longest.seconds} s`
  return `${bar} ${longest.title}, ${time}`.slice(0, columns - 1)
}

function drawBar() {
  if (running.size > 0) process.stdout.write(`\r\x1b[2K${barOf([...running], process.stdout.columns || 80)}`)
}

function clearBar() {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[2K')
}
