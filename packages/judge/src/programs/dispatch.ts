/** Finds the rule of a command. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dangerousCommand } from '@beak/decision/risk/commands'
import { runsHarmlessCommands } from '@beak/decision/risk/harmless-commands'
import { isGuarded } from '../files'
import { absolute, areaOf, isWithin } from '../paths'
import type { Line } from '../shell/line'
import { copyOf, type Scope } from '../shell/scope'
import type { Dispatch } from '../shell/walk'
import { isKnown, unknown, type Word } from '../shell/words'
import { builders } from './builders'
import { containers } from './containers'
import { databases } from './databases'
import { gitRules } from './git'
import { interpreters } from './interpreters'
import { network } from './network'
import { packages } from './packages'
import { patches } from './patch'
import { python } from './python'
import { readers } from './readers'
import type { Rule } from './rule'
import { services } from './services'
import { checkStarting } from './starting'
import { system } from './system'
import { actsByName } from './verbs'
import { runScript, wrappers } from './wrappers'
import { writers } from './writers'

/** Later rules of a program replace earlier ones. */
const rules = new Map<string, Rule>([
  ...builders,
  ...services,
  ...containers,
  ...databases,
  ...interpreters,
  ...packages,
  ...python,
  ...network,
  ...gitRules,
  ...writers,
  ...system,
  ...wrappers,
  ...patches,
  ...readers,
])
/** These only show their words, or read files: naming the settings of an agent is no harm. */
const quiet = new Set(readers.map(([name]) => name))

/** Folders whose programs are known by their names. */
const programFolder =
  /^\/(?:usr\/(?:local\/)?)?s?bin\/|^\/opt\/homebrew\/bin\/|(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\//

/** Words that switch the hooks of an agent off. */
const switches =
  /disableAllHooks|\bhooks["'\]]*\s*[:=]\s*["']?false|--disable[\s=]+["']?hooks|--dangerously-bypass-hook-trust|dangerously-skip-permissions/i

export const dispatch: Dispatch = (line, argv, scope) => {
  const [first, ...args] = argv
  if (first === undefined) return
  if (!isKnown(first) || first.isHidden || first.isGlob)
    return line.ask('dynamic_command', scope, { level: 'high' })
  // The value of a variable that is no plain name becomes other words with another separator.
  if (first.variables.length > 0 && !/^[\w./~-]+$/.test(first.text))
    return line.ask('dynamic_command', scope, { level: 'high' })
  if (first.text === '') return line.ask('dynamic_command', scope)
  const body = scope.functions.get(first.text)
  if (body !== undefined) {
    const inner = copyOf(scope)
    inner.functions.delete(first.text)
    return line.runInside(body, inner)
  }
  const path = first.text
  const name = path.includes('/') ? programName(line, first, scope) : path
  if (name === null) return
  const rule = rules.get(name) ?? rules.get(name.replace(/(?:\.exe|-?\d+(?:\.\d+)*)$/, ''))
  if (!quiet.has(name)) checkWords(line, args, scope, name)
  checkStarting(line, args, scope, name)
  if (rule !== undefined) return rule({ line, scope, name, args })
  if (args.length === 1 && /^(?:--version|-V|--help|-h|version|help)$/.test(args[0]?.text ?? '')) return
  askUnknown(line, argv, scope, name)
}

/** Returns the name of a program that stands with its folder. Null: a file of the folder, which is judged as a script. */
function programName(line: Line, word: Word, scope: Scope): string | null {
  const path = absolute(word.text, scope.cwd ?? '/', line.place.home)
  const name = path.split('/').at(-1) ?? ''
  const area = areaOf(path, line.place)
  if (programFolder.test(path) && (area === 'folder' || area === 'system')) return name
  if (/^(?:gradlew|mvnw|configure)$/.test(name) && isWithin(path, line.place.folder)) return name
  // Programs that Rails and others keep in the folder.
  if (/\/bin\/(?:rails|rake|rspec|bundle|rubocop|console|phpunit)$/.test(path) && area === 'folder')
    return name
  if (area === 'tools' && rules.has(name)) return name
  runScript(line, word, scope)
  return null
}

/** Judges what every program gets as its words: the settings of the agents. */
function checkWords(line: Line, args: readonly Word[], scope: Scope, name: string): void {
  if (name === 'git' && args[0]?.text === 'commit') return
  for (const word of args) {
    if (word.text === '' || /\n/.test(word.text)) continue
    const text = word.text.replace(/^--?[\w-]+=/, '')
    const settings = { level: 'high', action: 'change:agent-settings' } as const
    if (switches.test(word.text)) return void line.ask('agent_settings', scope, settings)
    if (!/\.(?:claude|codex|mcp)|beak|managed/i.test(text) && line.place.guardedPaths.length === 0) continue
    if (/\s/.test(text) || text.includes(unknown)) {
      if (/\.(?:claude|codex)\/(?:settings|hooks|config)/.test(text))
        return void line.ask('agent_settings', scope, settings)
    } else if (
      scope.cwd !== null &&
      /[./~]/.test(text) &&
      !/^git$/.test(name) &&
      isGuarded(absolute(text, scope.cwd, line.place.home), line.place)
    )
      return void line.ask('agent_settings', scope, settings)
  }
}

/** Asks about a program without a rule, unless the rules of risk know the command as harmless. */
function askUnknown(line: Line, argv: readonly Word[], scope: Scope, name: string): void {
  const text = argv.map((word) => word.text).join(' ')
  const { folder } = line.place
  const isOwn = ['node_modules/.bin', '.venv/bin', 'venv/bin', 'vendor/bin'].some((bin) =>
    existsSync(join(folder, bin, name)),
  )
  if (isOwn && argv.every(isKnown) && !argv.some((word) => actsByName(word.text)))
    return void line.build(scope)
  if (argv.every(isKnown)) {
    const field = { name: 'script', path: 'script', value: text }
    if (runsHarmlessCommands([field as Parameters<typeof runsHarmlessCommands>[0][number]])) return
  }
  const isDangerous = dangerousCommand(text) !== null
  line.ask('unknown_command', scope, { level: isDangerous ? 'high' : 'medium', values: { command: name } })
}
