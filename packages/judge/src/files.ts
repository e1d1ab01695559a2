/** What a command may do to files: read, write and remove, by where they are and what they hold. */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { absolute, areaOf, isWithin, realPath, shownPath } from './paths'
import { canMatchSecret, hasRealSecret, isSecretPath } from './secrets'
import type { Line } from './shell/line'
import type { Scope } from './shell/scope'
import { unknown, type Word } from './shell/words'
import type { Place } from './types'

/** Settings and hooks of the coding agents, and files of Beak, wherever they are. */
const agentFile =
  /(?:^|\/)(?:\.claude(?:\.json|\/(?!(?:plans|todos|projects|memory)\/)|$)|\.codex(?:\/|$)|\.mcp\.json$|managed[-_](?:settings|config)\b)|^\/etc\/(?:claude-code|codex)(?:\/|$)|\/\.?beak\/+(?:hook|credentials|connect)|\/\.config\/beak(?:\/|$)/i

/** Whether a path is one of the settings that start the guard, or holds one. */
export function isGuarded(path: string, place: Place): boolean {
  const real = realPath(path)
  return [path, real].some(
    (one) =>
      agentFile.test(one) ||
      place.guardedPaths.some(
        (guarded) =>
          isWithin(one, guarded) ||
          (isWithin(guarded, one) && one !== place.folder && !isWithin(place.folder, one)),
      ),
  )
}

/** Whether a pattern of the shell can name a guarded path: `~/.cl*`. */
function canBeGuarded(path: string): boolean {
  return /\/\.(?:c[\w*?[\]]*|[*?[][\w*?[\]]*)(?:\/|$)/.test(path) && /\/\.[\w]*[*?[]/.test(path)
}

/** Files of git that decide what git runs and where it sends. */
const gitInternals = /(?:^|\/)\.git(?:\/|$)|(?:^|\/)\.husky(?:\/|$)|(?:^|\/)\.gitmodules$/

const settings = { level: 'high', action: 'change:agent-settings' } as const

/** Returns the part of a path whose value is known, when a later part is not: `/tmp/` of `/tmp/$name`. */
function knownStart({ text }: Word, scope: Scope, place: Place): string | null {
  const start = text.slice(0, text.indexOf(unknown))
  if (start === '' || (scope.cwd === null && !/^[/~]/.test(start))) return null
  const path = absolute(start, scope.cwd ?? '/', place.home)
  return start.endsWith('/') ? path : dirname(path)
}

/**
 * Judges that a file, or what a pattern names, is read.
 *
 * @param showsContent whether more than names and sizes is shown
 */
export function checkRead(line: Line, word: Word, scope: Scope, showsContent = true): void {
  if (word.isHidden) return void line.ask('hidden_words', scope, { level: 'high' })
  const path = line.path(word, scope)
  if (path === null) {
    const plain = word.text.replaceAll(unknown, 'x')
    if (isSecretPath(plain.startsWith('/') ? plain : `/${plain}`)) askSecret(line, plain, scope)
    return
  }
  const isSecret = isSecretPath(path) || isSecretPath(realPath(path)) || (word.isGlob && canMatchSecret(path))
  if (showsContent && isSecret) return void askSecret(line, path, scope)
  const area = areaOf(path, line.place)
  if (area === 'home' || area === 'other')
    line.ask('reads_outside', scope, {
      level: 'low',
      action: 'read:files',
      params: { paths: [path] },
      values: { path: shownPath(path, line.place) },
    })
}

export function askSecret(line: Line, path: string, scope: Scope): void {
  line.ask('secret_file', scope, {
    level: 'high',
    action: 'read:secrets',
    params: { paths: [path] },
    values: { path: shownPath(path, line.place) },
  })
}

/**
 * Judges that a file is written, made or replaced.
 *
 * @param isText whether the file gets another text, and not only other rights
 */
export function checkWrite(line: Line, word: Word, scope: Scope, isText = true): void {
  if (word.isHidden) return void line.ask('hidden_words', scope, { level: 'high' })
  const { place } = line
  const path = line.path(word, scope) ?? knownStart(word, scope, place)
  if (path === null) return void line.ask('unknown_path', scope)
  if (isText && !line.written.has(path)) line.written.set(path, null)
  const finding = findingOfWrite(path, place)
  if (finding !== null) line.ask(finding.rule, scope, finding)
  else if (word.isGlob && canBeGuarded(path)) line.ask('agent_settings', scope, settings)
}

/** Returns what speaks against writing a file, or null. */
function findingOfWrite(path: string, place: Place) {
  const values = { path: shownPath(path, place) }
  const params = { path }
  if (isGuarded(path, place)) return { rule: 'agent_settings', ...settings, params, values }
  const real = realPath(path)
  if (gitInternals.test(real) && !/\/\.git\/(?:COMMIT_EDITMSG|MERGE_MSG|info\/exclude)$/.test(real))
    return { rule: 'git_internals', level: 'high', action: 'edit:file', params, values } as const
  const area = areaOf(path, place)
  // A file of secrets that is not there yet is set up, and nothing is lost or shown.
  if (
    (isSecretPath(path) || isSecretPath(real)) &&
    !(area === 'folder' && !existsSync(path)) &&
    area !== 'temporary'
  )
    return { rule: 'secret_file', level: 'high', action: 'edit:file', params, values } as const
  if (area === 'folder' || area === 'temporary' || area === 'device') return null
  if (/\/\.claude\/(?:plans|todos|projects|memory)\//.test(real)) return null
  const level = area === 'home' || area === 'tools' ? 'medium' : 'high'
  return { rule: 'outside', level, action: 'edit:file', params, values } as const
}

/** Judges the text that a file gets: a secret in a file that others read is given away with it. */
export function checkContent(line: Line, text: string, path: string, scope: Scope): void {
  if (
    isSecretPath(path) ||
    /(?:^|\/|\.)(?:tests?|specs?|__tests__|fixtures?|testdata|mocks?)(?:\/|\.|$)/i.test(path)
  )
    return
  if (hasRealSecret(text))
    line.ask('writes_secret', scope, {
      action: 'edit:file',
      params: { path },
      values: { path: shownPath(path, line.place) },
    })
}

/** Folders and files that a build or a test makes again. */
const renewable =
  /(?:^|\/)(?:node_modules|dist|build|out|target|\.next|\.nuxt|\.output|\.svelte-kit|\.turbo|\.parcel-cache|\.vite|\.cache|\.angular|\.expo|\.gradle|coverage|\.nyc_output|htmlcov|\.coverage|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.nox|\.eggs|[\w.-]+\.egg-info|\.?venv|te?mp|\.te?mp|logs?|test-results|playwright-report|storybook-static|\.serverless|\.terraform|DerivedData|CMakeFiles|_build|deps|bin|obj|generated|__snapshots__)(?:\/|$)|\.(?:log|tmp|temp|pyc|o|obj|class|tsbuildinfo|swp|bak|orig|rej|out|pid|lcov)$|(?:^|\/)\.DS_Store$|\.(?:test|spec)\.[jt]sx?\.snap$/
/** Files of data that nothing makes again. */
const data =
  /\.(?:db|sqlite3?|mdb|dump|sql|csv|parquet|xlsx?|zip|tar|gz|tgz|7z|bak|kdbx|pem|key|env|docx?|pdf|psd|mp4|mov|wav|raw)$/i
/** How long a file that the agent made itself can be removed again. */
const ownFileMs = 12 * 3600 * 1000

/** Whether the index of git has a path, so that a commit can bring it back. Reads the list without starting git. */
function isTracked(path: string, place: Place): boolean {
  try {
    const index = readFileSync(join(place.folder, '.git', 'index'))
    return index.includes(`${relative(place.folder, path).split(sep).join('/')}\0`)
  } catch {
    return false
  }
}

/** Whether a file was made lately, and git does not have it. Throws when it is not there. */
export const isNewFile = (path: string, place: Place): boolean =>
  !isTracked(path, place) &&
  performance.timeOrigin + performance.now() - statSync(path).birthtimeMs < ownFileMs

/** Whether a single file can be removed without a loss: git has it, it is new, or it is not there. */
function isSmallLoss(path: string, place: Place): boolean {
  if (data.test(path) || isSecretPath(path)) return false
  try {
    const facts = statSync(path)
    if (facts.isDirectory()) return false
    return (
      isTracked(path, place) || performance.timeOrigin + performance.now() - facts.birthtimeMs < ownFileMs
    )
  } catch {
    return basename(path) !== '.git'
  }
}

const filesMax = 5

/** Judges that files are removed. Several words are one deletion. */
export function checkRemove(line: Line, words: Word[], scope: Scope, isRecursive: boolean): void {
  const { place } = line
  const paths: string[] = []
  let level: 'medium' | 'high' = 'medium'
  for (const word of words) {
    if (word.isHidden) line.ask('hidden_words', scope, { level: 'high' })
    const path = line.path(word, scope)
    if (path === null) {
      line.ask('deletes_unknown', scope, { level: 'high' })
      continue
    }
    const area = areaOf(path, place)
    if (isGuarded(path, place) || (word.isGlob && canBeGuarded(path)))
      line.ask('agent_settings', scope, settings)
    const below = relative(place.folder, path)
    if (area === 'device') continue
    if (area === 'temporary' && !/^\/(?:private\/)?(?:var\/)?tmp\/?[*]*$/.test(path)) continue
    if (area === 'folder' && path !== place.folder) {
      if (renewable.test(below.replace(/[*?]+/g, 'x')) && !/^\.git(?:\/|$)/.test(below)) continue
      if (!isRecursive && !word.isGlob && words.length <= filesMax && isSmallLoss(path, place)) continue
    }
    if (area !== 'folder' || path === place.folder || /^(?:\.git)?(?:\/|$)|^[*.]+$/.test(below))
      level = 'high'
    paths.push(path)
  }
  if (paths.length === 0) return
  line.ask(level === 'high' ? 'deletes_much' : 'deletes', scope, {
    level,
    action: 'delete:files',
    params: { paths },
    values: { paths: paths.map((path) => shownPath(path, place)).join(', ') },
  })
}
