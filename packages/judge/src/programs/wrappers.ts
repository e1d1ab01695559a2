/** Programs that run another command. */

import { readFileSync, statSync } from 'node:fs'
import { askSecret } from '../files'
import { areaOf } from '../paths'
import { isSecretPath } from '../secrets'
import type { Line } from '../shell/line'
import { readOptions } from '../shell/options'
import type { Scope } from '../shell/scope'
import { isKnown, unknown, type Word, wordOf } from '../shell/words'
import { type Rule, rulesFor } from './rule'
import { actsByName } from './verbs'

/** Returns the words from the first one on that is no option. */
export function afterOptions(args: readonly Word[], withValue = ''): Word[] {
  const taking = new Set(withValue.split(' '))
  let at = 0
  while (at < args.length) {
    const { text } = args[at] as Word
    if (text === '--') return args.slice(at + 1)
    if (!/^-./.test(text)) break
    at += taking.has(text) ? 2 : 1
  }
  return args.slice(at)
}

/** A program that runs the words after its options, as they are. */
const plain =
  (withValue = '', skipped = 0): Rule =>
  ({ line, scope, args }) =>
    line.call(afterOptions(args, withValue).slice(skipped), scope)

/** A program whose command runs in another way than it stands there, so that no rule of the person fits. */
const inside =
  (withValue = '', skipped = 0): Rule =>
  ({ line, scope, args }) =>
    line.call(afterOptions(args, withValue).slice(skipped), scope, { isInside: true })

/** Whether the next program of the pipe shows only variables that hold no secrets: `env | grep NODE_`. */
export function choosesPlain({ next }: Scope): boolean {
  const [, pattern = ''] =
    /^(?:grep|rg|egrep)\s+(?:-[EiFP]+\s+)*(['"]?[\w^|()$=*.-]{3,}['"]?)$/.exec(next ?? '') ?? []
  return /[A-Za-z]{3}/.test(pattern) && !/key|secret|token|pass|auth|cred|\.\*/i.test(pattern)
}

const env: Rule = ({ line, scope, args }) => {
  if (args.length === 0 && choosesPlain(scope)) return
  if (args.length === 0)
    return line.ask('secret_variable', scope, {
      action: 'read:secrets',
      values: { name: 'all of the environment' },
    })
  let at = 0
  let changes = false
  for (; at < args.length; at += 1) {
    const word = args[at] as Word
    if (/^(?:-u|--unset|-C|--chdir)$/.test(word.text)) {
      line.call(
        [wordOf('export'), { ...(args[at + 1] ?? word), text: `${args[at + 1]?.text ?? ''}=` }],
        scope,
        { isInside: true },
      )
      at += 1
    } else if (/^(?:-S|--split-string)/.test(word.text)) {
      const text = word.text.replace(/^(?:-S|--split-string)=?/, '')
      return line.runInside([text, ...args.slice(at + 1).map((one) => one.text)].join(' '), scope)
    } else if (/^[A-Za-z_]\w*=/.test(word.text)) {
      changes = true
      line.call([wordOf('export'), word], scope, { isInside: true })
    } else if (!/^-/.test(word.text)) break
  }
  line.call(args.slice(at), scope, { isInside: scope.isInside || changes || at > 0 })
}

/** Returns the text that a shell gets with `-c`, also among other options: `-lc`, `-xec`. */
function scriptOf(args: readonly Word[]): Word | null {
  for (let at = 0; at < args.length; at += 1) {
    const { text } = args[at] as Word
    if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(text)) {
      const rest = args.slice(at + 1)
      return rest.find((word) => !/^[-+]/.test(word.text)) ?? rest[0] ?? wordOf(unknown)
    }
    if (/^[-+][oO]$/.test(text)) at += 1
    else if (!/^[-+]/.test(text)) return null
  }
  return null
}

const sizeMax = 200_000

/** Judges a script of a shell that is in a file: what is clearly dangerous in it is asked. */
export function runScript(line: Line, word: Word, scope: Scope): void {
  const path = line.path(word, scope)
  if (path === null) return void line.ask('unknown_command', scope, { values: { command: 'a script' } })
  const area = areaOf(path, line.place)
  if (area !== 'folder' && area !== 'temporary')
    return void line.ask('runs_outside', scope, { values: { path: path.replace(line.place.home, '~') } })
  const name =
    path
      .split('/')
      .at(-1)
      ?.replace(/\.\w+$/, '') ?? ''
  if (isSecretPath(path)) return void askSecret(line, path, scope)
  if (actsByName(name))
    return void line.ask('runs_task', scope, {
      level: 'high',
      action: 'run:task',
      params: { task: name },
      values: { task: name },
    })
  line.build(scope)
  const made = line.written.get(path)
  if (made === null) return void line.ask('runs_made_file', scope, { values: { path: word.text } })
  if (made !== undefined) return void line.runInside(made, scope)
  try {
    if (statSync(path).size > sizeMax) return
    const text = readFileSync(path, 'utf8')
    if (!/^#!/.test(text) || /^#!.*\b(?:ba|z|da|k)?sh\b/.test(text))
      line.runInside(text, scope, { isScript: true })
  } catch {
    // A file that is not there cannot run.
  }
}

const shell: Rule = ({ line, scope, args }) => {
  const script = scriptOf(args)
  if (script !== null) {
    if (!isKnown(script) && script.text.replaceAll(unknown, '').trim() === '')
      return line.ask('dynamic_command', scope, { level: 'high' })
    return line.runInside(script.text.replaceAll(unknown, '$UNKNOWN'), scope)
  }
  const [file] = args.filter(({ text }) => !/^[-+]/.test(text))
  // `-n` only checks the syntax.
  if (args.some(({ text }) => /^(?:--version|--help|-n)$/.test(text))) return
  if (file !== undefined && !args.some(({ text }) => /^-\w*s/.test(text))) return runFile(line, file, scope)
  runInput(line, scope)
}

/** Runs what a file holds; a process substitution has no name. */
function runFile(line: Line, file: Word, scope: Scope): void {
  if (!isKnown(file)) return void line.ask('runs_output', scope, { level: 'high' })
  if (/^\/dev\/(?:stdin|fd\/\d+)$|^\/proc\/self\/fd/.test(file.text)) return void runInput(line, scope)
  runScript(line, file, scope)
}

/** Judges what a shell reads from its input. */
function runInput(line: Line, scope: Scope): void {
  const { input } = scope
  if (input.kind === 'text') return void line.runInside(input.text.replaceAll(unknown, '$UNKNOWN'), scope)
  // Codex writes the further commands into a running program, and no hook sees them.
  if (input.kind === 'none') return void line.ask('opens_shell', scope)
  const names = input.argv.map(([first]) => first?.text.split('/').at(-1) ?? '')
  const [[, file] = []] = input.argv
  if (names[0] === 'cat' && file !== undefined && input.argv.length === 1)
    return void runFile(line, file, scope)
  const isNetwork = names.some((name) => /^(?:curl|wget|fetch|http|https|nc|ncat|ssh|scp|aria2c)$/.test(name))
  line.ask(isNetwork ? 'runs_download' : 'runs_output', scope, {
    level: 'high',
    action: isNetwork ? 'run:download' : 'run:command',
  })
}

const xargs: Rule = ({ line, scope, args }) => {
  const withValue = '-n -P -L -I -d -E -s -a --max-args --max-procs --delimiter --replace --arg-file'
  const argv = afterOptions(args, withValue)
  const found = wordOf(startOf(scope) + unknown, foundBy(scope))
  const replaced = readOptions(args.slice(0, args.length - argv.length), withValue).given.get('-I')?.text
  const filled = argv.map((word) =>
    replaced !== undefined && replaced !== '' && word.text.includes(replaced)
      ? { ...word, text: word.text.replaceAll(replaced, found.text) }
      : word,
  )
  line.call(replaced === undefined ? [...filled, found] : filled, scope, {
    isInside: true,
    input: { kind: 'none' },
  })
}

/** Programs that list the files of the folder when no word leads out of it, and those that only choose among lines. */
const listing = /^(?:grep|rg|find|fd|git|ls|ag)$/
const choosing = /^(?:grep|rg|sort|uniq|head|tail|shuf)$/

/** Returns the start of every path that `xargs` gets, or an empty text when it can be any path. */
function startOf({ input }: Scope): string {
  if (input.kind !== 'programs') return ''
  const [list, ...chosen] = [...input.argv].reverse()
  if (list === undefined || !listing.test(list[0]?.text ?? '')) return ''
  if (!chosen.every(([first]) => choosing.test(first?.text ?? ''))) return ''
  return list.some(({ text }) => /^[~/]|\.\.(?:\/|$)|\0/.test(text)) ? '' : './'
}

/** What the words of `xargs` are when the line says it. */
function foundBy({ input }: Scope): Partial<Word> {
  return {
    isHidden:
      input.kind === 'programs' &&
      input.argv.some(([first]) => /^(?:base64|base32|xxd|rev|openssl)$/.test(first?.text ?? '')),
  }
}

const evaluate: Rule = ({ line, scope, args }) => {
  if (args.every(isKnown)) return line.runInside(args.map(({ text }) => text).join(' '), scope)
  // What tools print to be evaluated, such as `eval "$(ssh-agent -s)"`, is not known.
  line.ask('dynamic_command', scope, { level: 'high' })
}

const cd: Rule = ({ line, scope, args }) => {
  const [target] = readOptions(args).rest
  const word = target ?? wordOf(line.place.home)
  const path = word.text === '-' ? null : line.path(word, scope)
  if (path === null || areaOf(path, line.place) !== 'folder') line.hasChanged = true
  scope.cwd = path
}

export const wrappers: [string, Rule][] = [
  ...rulesFor(
    'time nohup setsid stdbuf ionice unbuffer chronic caffeinate command builtin exec nice',
    plain('-n -c -p -i -o -e -a -f'),
  ),
  ...rulesFor('timeout gtimeout', plain('-s -k --signal --kill-after', 1)),
  ...rulesFor(
    'strace ltrace valgrind perf_ gdb_ watch entr hyperfine_ script_ flock_ taskset_ chrt',
    inside('-o -e -p -n -s -c'),
  ),
  ...rulesFor('flock taskset', inside('-w -E', 1)),
  ...rulesFor('parallel', ({ line, scope, args }) => {
    const argv = afterOptions(args, '-j --jobs -a --arg-file')
    const end = argv.findIndex(({ text }) => /^:{3,4}/.test(text))
    const [first, ...rest] = end < 0 ? argv : argv.slice(0, end)
    if (first === undefined) return runInput(line, scope)
    line.runInside([first, ...rest].map(({ text }) => text.replaceAll(unknown, '$UNKNOWN')).join(' '), scope)
    line.call([first, ...rest, wordOf(unknown)], scope, { isInside: true })
  }),
  ...rulesFor('env', env),
  ...rulesFor('sudo doas pkexec runas gosu su-exec', ({ line, scope, args }) => {
    line.ask('as_administrator', scope, { level: 'high' })
    const argv = afterOptions(args, '-u -g -U -h -p -C -T -R -D')
    line.call(argv[0]?.text.includes('=') ? [wordOf('env'), ...argv] : argv, scope, { isInside: true })
  }),
  ...rulesFor('su', ({ line, scope, args }) => {
    line.ask('as_administrator', scope, { level: 'high' })
    const script = scriptOf(args) ?? readOptions(args, '-c --command').given.get('--command')
    if (script != null) line.runInside(script.text.replaceAll(unknown, '$UNKNOWN'), scope)
  }),
  ...rulesFor('sh bash zsh dash ksh ash fish busybox_ rbash pwsh_', shell),
  ...rulesFor('eval', evaluate),
  ...rulesFor('source .', ({ line, scope, args }) => {
    line.hasChanged = true
    const [file] = args
    if (file === undefined) return
    // The environment of Python that a project has.
    if (/(?:^|\/)\.?venv\/bin\/activate(?:\.\w+)?$/.test(file.text)) return
    runFile(line, file, scope)
  }),
  ...rulesFor('xargs gxargs', xargs),
  ...rulesFor('cd pushd popd', cd),
  ...rulesFor('busybox toybox', ({ line, scope, args }) => line.call([...args], scope)),
  ...rulesFor('trap', ({ line, scope, args }) => {
    const [script] = readOptions(args).rest
    if (script !== undefined && script.text !== '-')
      line.runInside(script.text.replaceAll(unknown, '$UNKNOWN'), scope)
  }),
  ...rulesFor('alias', ({ line, scope, args }) => {
    for (const { text } of args)
      if (text.includes('=')) line.runInside(text.slice(text.indexOf('=') + 1), scope)
    line.hasChanged = true
  }),
  ...rulesFor(
    'set shopt unalias enable bind complete compgen dirs disown suspend unset_',
    ({ line, scope, args, name }) => {
      if (name === 'enable') line.ask('changes_system', scope)
      if (name === 'set' && args.length === 0) return env({ line, scope, args, name })
      if (name === 'compgen' && args.some(({ text }) => /^-[Aev]/.test(text)))
        return env({ line, scope: { ...scope, next: null }, args: [], name })
      if (
        name !== 'set' ||
        args.some(({ text }) => !/^[-+]/.test(text) && !/^(?:pipefail|errexit|nounset|xtrace)$/.test(text))
      )
        line.hasChanged = true
    },
  ),
]
