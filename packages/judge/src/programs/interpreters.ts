/** Languages that run a text or a file. */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { isNewFile } from '../files'
import { absolute, areaOf } from '../paths'
import { isSecretPath } from '../secrets'
import type { Line } from '../shell/line'
import type { Scope } from '../shell/scope'
import { isKnown, type Word } from '../shell/words'
import { checkCode, checkModelCode } from './code'
import { type Rule, rulesFor } from './rule'
import { actsByName } from './verbs'

interface Language {
  /** Options whose value is code. */
  code: RegExp
  /** Options that take a value which is no code. */
  value: RegExp
  /** Options after which the name of a module stands. */
  module?: RegExp
  /** Options that load code from a file. */
  load?: RegExp
}

const languages: Record<string, Language> = {
  python: { code: /^-[bBdEhiIOqsSuvVxX]*c$/, value: /^-[WX]$/, module: /^-m$/ },
  node: {
    code: /^(?:-e|--eval|-p|--print|-pe|--run_)$/,
    value: /^(?:-C|--conditions|--input-type|--title)$/,
    load: /^(?:-r|--require|--import|--loader|--experimental-loader)$/,
  },
  perl: { code: /^-[a-zA-Z0-9.]*[eE]$/, value: /^-[IMm]$/ },
  ruby: { code: /^-[a-z]*e$/, value: /^-[IrEC]$/ },
  php: { code: /^-r$/, value: /^-[dcz]$/ },
  lua: { code: /^-e$/, value: /^-l$/ },
  r: { code: /^(?:-e|--expression)$/, value: /^_$/ },
  osascript: { code: /^-e$/, value: /^-l$/ },
  powershell: {
    code: /^(?:-(?:c|command|enc\w*|e|ec)|\/[ck])$/i,
    value: /^-(?:executionpolicy|ep|file|f)$/i,
  },
}

/** Modules of Python that only build, test or serve. */
const pythonTools =
  /^(?:pytest|unittest|mypy|ruff|black|flake8|pylint|isort|pyright|coverage|tox|nox|bandit|build|venv|virtualenv|compileall|py_compile|doctest|timeit|cProfile|json\.tool|http\.server|pdb|trace|site|sysconfig|platform|ensurepip|pre_commit|sphinx|mkdocs|jupyter|ipykernel|pydoc|tabnanny|ast|dis|zipfile|calendar|this|uvicorn|gunicorn|flask|django|celery|streamlit|alembic|pip_audit|piptools|twine|hatch|poetry|grpc_tools\.protoc)$/

const interpret =
  (language: Language): Rule =>
  ({ line, scope, args, name }) => {
    for (let at = 0; at < args.length; at += 1) {
      const word = args[at] as Word
      const next = args[at + 1]
      const { text } = word
      if (language === languages.powershell && language.code.test(text)) {
        // All words that follow are one command, of a language that is not read here.
        const rest = args.slice(at + 1).map((one) => one.text)
        line.ask('runs_inside', scope)
        return checkCode(line, rest.join(' '), scope)
      }
      if (language.code.test(text)) return runCode(line, scope, next, /^-enc/i.test(text), args)
      const [, joined = ''] = /^--?(?:eval|print|e|r)=(.*)$/s.exec(text) ?? []
      if (joined !== '') return runCode(line, scope, { ...word, text: joined }, false, args)
      if (language.module?.test(text) === true) return runModule(line, scope, next, args.slice(at + 2))
      if (language.load?.test(text) === true || /^--(?:require|import|loader)=/.test(text)) {
        const loaded = /=/.test(text) ? { ...word, text: text.split('=')[1] ?? '' } : next
        if (loaded !== undefined && /^(?:data:|https?:|\/|~|\.\.)/.test(loaded.text))
          line.ask('runs_outside', scope, { level: 'high', values: { path: loaded.text.slice(0, 60) } })
        if (!/=/.test(text)) at += 1
      } else if (language.value.test(text)) at += 1
      else if (text === '-') break
      else if (!/^-/.test(text)) return runFile(line, scope, word, args.slice(at + 1), name)
    }
    if (
      args.some(({ text }) =>
        /^(?:--version|-V|-v|--help|-h|--test|--check|--watch|-version|--v8-options)$/.test(text),
      )
    )
      return args.some(({ text }) => text === '--test') ? line.build(scope) : undefined
    const { input } = scope
    if (input.kind === 'text') return checkCode(line, input.text, scope)
    if (input.kind === 'none') return line.ask('opens_shell', scope)
    line.ask('runs_output', scope, { level: 'high' })
  }

function runCode(
  line: Line,
  scope: Scope,
  word: Word | undefined,
  isEncoded: boolean,
  args: readonly Word[],
): void {
  if (word === undefined) return
  if (isEncoded || word.isHidden || (!isKnown(word) && word.text.length < 3))
    return void line.ask('dynamic_command', scope, { level: 'high' })
  checkCode(line, word.text, scope)
  // `-i` of Perl and Ruby edits the files that follow.
  if (args.some(({ text }) => /^-[a-z]*i/.test(text)))
    for (const file of args)
      if (/^[~/]|^\.\./.test(file.text)) line.call([{ ...file, text: 'tee' }, file], scope)
  for (const file of args) {
    const path = line.path(file, scope)
    if (path !== null && !file.text.startsWith('-') && file !== word && isSecretPath(path))
      line.ask('secret_file', scope, { level: 'high', action: 'read:secrets', values: { path: file.text } })
  }
}

function runModule(line: Line, scope: Scope, word: Word | undefined, rest: Word[]): void {
  if (word === undefined || !isKnown(word)) return void line.ask('dynamic_command', scope)
  if (/^(?:pip|pip3|pipx|uv|poetry|twine|hatch)$/.test(word.text))
    return void line.call([word, ...rest], scope, { isInside: true })
  if (word.text === 'http.server' || word.text === 'SimpleHTTPServer') {
    const isHere =
      rest.some(({ text }) => /^(?:127\.|localhost)/.test(text)) ||
      !rest.some(({ text }) => /^(?:-b|--bind)$/.test(text))
    if (!isHere) line.ask('opens_port', scope)
    return
  }
  if (word.text === 'json.tool' || pythonTools.test(word.text)) return void line.build(scope)
  if (actsByName(word.text))
    return void line.ask('runs_task', scope, {
      level: 'high',
      action: 'run:task',
      values: { task: word.text },
    })
  const [top = ''] = word.text.split('.')
  // A module of the folder is like a script of it.
  const path = absolute(top, scope.cwd ?? line.place.folder, line.place.home)
  if (
    existsSync(path) ||
    existsSync(`${path}.py`) ||
    existsSync(absolute(`src/${top}`, line.place.folder, line.place.home)) ||
    !existsSync(line.place.folder)
  )
    return void line.build(scope)
  line.ask('unknown_command', scope, { values: { command: `python -m ${word.text}` } })
}

const sizeMax = 200_000

/** Judges a program that was written lately, perhaps by the agent: what is clearly dangerous in it is asked. */
function checkNewFile(line: Line, path: string, scope: Scope): void {
  const made = line.written.get(path)
  if (made != null) return void checkCode(line, made, scope)
  try {
    if (!isNewFile(path, line.place) || statSync(path).size > sizeMax) return
    checkCode(line, readFileSync(path, 'utf8'), { ...scope, isScript: true, isInside: true })
  } catch {
    // A file that is not there cannot run.
  }
}

/** Runs what comes from the standard input. */
function runGiven(line: Line, scope: Scope): void {
  if (scope.input.kind === 'text') checkCode(line, scope.input.text, scope)
  else line.ask('runs_output', scope, { level: 'high' })
}

/** Runs a program of the folder, as a test does. */
function runFile(line: Line, scope: Scope, word: Word, rest: readonly Word[], name: string): void {
  if (!isKnown(word)) return void line.ask('dynamic_command', scope)
  const path = line.path(word, scope)
  const area = path === null ? 'other' : areaOf(path, line.place)
  if (name === 'node' && word.text === 'inspect') return
  if (/\/dev\/(?:stdin|fd)/.test(word.text)) return void runGiven(line, scope)
  if (area !== 'folder' && area !== 'temporary')
    return void line.ask('runs_outside', scope, { values: { path: word.text } })
  if (/manage\.py$|artisan$/.test(word.text)) {
    const [sub] = rest
    const code =
      rest.find(({ text }) => /^--execute=/.test(text)) ??
      rest[rest.findIndex(({ text }) => /^(?:-c|--command)$/.test(text)) + 1]
    if (/^(?:shell|shell_plus|tinker)$/.test(sub?.text ?? '') && code !== undefined && rest.length > 1)
      return void checkModelCode(line, code.text, scope)
    if (
      sub !== undefined &&
      (/^(?:flush|reset_db|sqlflush|dbshell|migrate:(?:fresh|reset|refresh|rollback)|db:wipe|changepassword|createsuperuser|loaddata|down|key:generate)$/.test(
        sub.text,
      ) ||
        actsByName(sub.text))
    )
      return void line.ask('runs_task', scope, {
        level: 'high',
        action: 'run:task',
        params: { task: sub.text },
        values: { task: sub.text },
      })
  }
  if (
    actsByName(
      word.text
        .split('/')
        .at(-1)
        ?.replace(/\.\w+$/, '') ?? '',
    )
  )
    return void line.ask('runs_task', scope, {
      level: 'high',
      action: 'run:task',
      params: { task: word.text },
      values: { task: word.text },
    })
  line.build(scope)
  if (path !== null) checkNewFile(line, path, scope)
  // What the line makes or fetches in a way that does not stand in it may hold anything.
  if (path !== null && line.written.get(path) === null)
    line.ask('runs_made_file', scope, { values: { path: word.text } })
}

export const interpreters: [string, Rule][] = [
  ...rulesFor(
    'python python2 python3 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 pypy pypy3 ipython py',
    interpret(languages.python as Language),
  ),
  ...rulesFor('node nodejs', interpret(languages.node as Language)),
  ...rulesFor('perl', interpret(languages.perl as Language)),
  ...rulesFor('ruby irb', interpret(languages.ruby as Language)),
  ...rulesFor('php', interpret(languages.php as Language)),
  ...rulesFor('lua luajit elixir iex', interpret(languages.lua as Language)),
  ...rulesFor('Rscript R julia groovy scala', interpret(languages.r as Language)),
  ...rulesFor('osascript', interpret(languages.osascript as Language)),
  ...rulesFor('pwsh powershell powershell.exe cmd.exe cmd', interpret(languages.powershell as Language)),
  ...rulesFor('java', ({ line, scope, args }) => {
    const bad = args.find(({ text }) => /^-(?:javaagent|agentlib|agentpath)/.test(text))
    if (bad !== undefined) line.ask('runs_outside', scope, { values: { path: bad.text } })
    line.build(scope)
  }),
]
