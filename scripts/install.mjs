/** Installs the packages of this repository. Imports no package. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, step } from './steps.mjs'

export const npmCommand = process.platform === 'win32' ? 'npm.cmd' : 'npm'

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    throw new Error(`Beak needs Node.js 20.19 or newer; this is ${process.version}.`)
}

/**
 * Installs the locked packages without their install scripts: all of them, or, without `development`, those that build and run the service.
 * Never removes those of the development. Uses `npm install` instead of `npm ci`, because `npm ci` refuses a lock file that lacks the binary
 * of another platform. Some registries do not have these binaries.
 *
 * @param {{ development?: boolean }} [options]
 */
export async function install({ development = true } = {}) {
  checkNode()
  const forDevelopment = 'node_modules/vitest/package.json'
  const isWhole = development || existsSync(join(root, forDevelopment))
  const options = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  await step(
    {
      title: 'Installing packages',
      seconds: isWhole ? 55 : 35,
      stamp: 'node_modules/.beak-installed',
      output: isWhole ? forDevelopment : 'node_modules/next/package.json',
      sources: ['package-lock.json'],
      tool: isWhole ? '' : 'without development',
    },
    () => run(npmCommand, ['install', ...options, isWhole ? '--include=dev' : '--omit=dev']),
  )
}
