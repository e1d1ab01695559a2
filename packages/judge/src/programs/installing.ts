/** Installing, publishing, and running what packages and scripts bring. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Line } from '../shell/line'
import type { Scope } from '../shell/scope'
import { isKnown, type Word } from '../shell/words'
import { isDevTool } from './builders'
import { actsByName } from './verbs'

/** Subcommands that change what a registry has. */
export const publishing =
  /^(?:publish|unpublish|deprecate|undeprecate|dist-tag|dist-tags|owner|author|access|token|login|adduser|add-user|logout|team|hook|org|profile|star|unstar|trust|yank|push|upload|deploy|release|submit|cert|register|npm|tag|tags|credential|set-script)$/

/** Asks about a package that somebody publishes or that a registry keeps. */
export function askPublish(line: Line, scope: Scope, registry: string, what: string, name = ''): void {
  line.ask('publishes', scope, {
    level: 'high',
    action: /^(?:publish|push|upload|deploy|release)$/.test(what) ? 'publish:package' : 'change:package',
    params: { registry, ...(name === '' ? {} : { name }) },
    values: { registry, what },
  })
}

/** Asks about packages by name, because they run code when they are installed. */
export function askInstall(line: Line, scope: Scope, names: readonly Word[], isGlobal: boolean): void {
  const list = names.map(({ text }) => text)
  const isAddress = list.some(
    (text) =>
      /:\/\/|^git[+@]|^(?:github|gist|gitlab):|\.(?:tgz|tar\.gz|whl|zip)$|^[\w.-]+\/[\w.-]+(?:#.*)?$/.test(
        text,
      ) && !/^\.{1,2}\//.test(text),
  )
  line.ask(isAddress ? 'installs_address' : 'installs', scope, {
    level: isAddress || isGlobal || !names.every(isKnown) ? 'high' : 'low',
    action: 'install:package',
    params: { packages: list },
    values: { packages: list.join(', ') },
  })
}

/** Whether a script of the folder does more than build and test, by its name. */
export function runTask(line: Line, scope: Scope, word: Word | undefined): void {
  if (word !== undefined && !isKnown(word))
    return void line.ask('dynamic_command', scope, { level: 'medium' })
  if (word !== undefined && actsByName(word.text))
    return void line.ask('runs_task', scope, {
      level: 'high',
      action: 'run:task',
      params: { task: word.text },
      values: { task: word.text },
    })
  line.build(scope)
}

/** Runs a program of a package: one that the folder has or everybody knows passes, any other one is downloaded. */
export function runPackage(line: Line, scope: Scope, args: readonly Word[]): void {
  const [word, ...rest] = args
  if (word === undefined) return void line.build(scope)
  const full = word.text.replace(/(?<=.)@[^/]*$/, '')
  // A known package with a scope has a program of a shorter name.
  const name = isDevTool(full) ? (full.split('/').at(-1) ?? '') : full
  const cwd = scope.cwd ?? ''
  const isHere =
    isKnown(word) &&
    [cwd, line.place.folder].some((folder) => existsSync(join(folder, 'node_modules', '.bin', name)))
  if (isDevTool(name)) return void line.call([{ ...word, text: name }, ...rest], scope, { isInside: true })
  if (isHere) return void line.call([{ ...word, text: name }, ...rest], scope, { isInside: true })
  askInstall(line, scope, [word], false)
}
