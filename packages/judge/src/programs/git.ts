/** Git. */

import { askSecret, checkRead, checkWrite } from '../files'
import { isSecretPath } from '../secrets'
import type { Line } from '../shell/line'
import { readOptions } from '../shell/options'
import type { Scope } from '../shell/scope'
import { isKnown, unknown, type Word, wordOf } from '../shell/words'
import { harmlessSetting, rewrite, type Sub, subcommands } from './git-subcommands'
import { type Rule, rulesFor } from './rule'
import { afterOptions } from './wrappers'

const setOf = (text: string) => new Set(text.trim().split(/\s+/))

/** They only read, whatever their options are, apart from those in `runsByOption`. */
const reading = setOf(`
  status log diff show blame annotate describe rev-parse ls-files ls-tree ls-remote shortlog rev-list merge-base cherry count-objects
  cat-file name-rev whatchanged check-ignore check-attr show-ref show-branch for-each-ref grep version help fetch var range-diff
  merge-tree diff-tree diff-index diff-files verify-commit verify-tag fsck get-tar-commit-id symbolic-ref_ patch-id stripspace
`)
/** They change the working tree, the index or local commits, which git keeps. */
const local = setOf(`
  add mv merge cherry-pick revert init apply am gc_ maintenance notes sparse-checkout mergetool format-patch archive bundle rerere
  write-tree commit-tree hash-object update-index read-tree pack-refs repack stage restore_
`)

const unsafeLong =
  /^--(?:output|ext-diff|textconv|open-files-in-pager|upload-pack|receive-pack|exec|no-index)(?:=|$)|^-O\w/

const git: Rule = ({ line, scope, args }) => {
  let at = 0
  let isPlain = true
  const own = { ...scope }
  for (; at < args.length; at += 1) {
    const { text } = args[at] as Word
    const value = args[at + 1]
    if (text === '-C') {
      if (value !== undefined) checkRead(line, value, scope)
      own.cwd = value === undefined ? null : line.path(value, own)
      at += 1
    } else if (text === '-c' || text === '--config-env') {
      isPlain = false
      if (!harmlessSetting.test(value?.text ?? ''))
        line.ask('git_settings', scope, { level: 'high', values: { key: value?.text.split('=')[0] ?? '' } })
      at += 1
    } else if (/^--(?:git-dir|work-tree|namespace|exec-path|super-prefix)(?:=|$)/.test(text)) {
      isPlain = false
      if (!/^--(?:git-dir|work-tree)/.test(text)) line.ask('git_settings', scope, { values: { key: text } })
      else checkRead(line, wordOf(text.split('=')[1] ?? value?.text ?? '.'), scope)
      if (!text.includes('=')) at += 1
    } else if (!/^-/.test(text)) break
  }
  subcommand({ line, scope: own, args: args.slice(at), isPlain })
}

function subcommand({ line, scope, args, isPlain }: Pick<Sub, 'line' | 'scope' | 'args' | 'isPlain'>): void {
  const [name, ...rest] = args
  if (name === undefined) return
  if (!isKnown(name)) return void line.ask('dynamic_command', scope, { level: 'high' })
  const texts = rest.map(({ text }) => text)
  const sub: Sub = {
    line,
    scope,
    args: rest,
    texts,
    has: (pattern) => texts.some((text) => pattern.test(text)),
    isPlain,
  }
  const rule = Object.hasOwn(subcommands, name.text) ? subcommands[name.text] : undefined
  if (
    texts.some((text) => /^ext::|^--(?:upload-pack|receive-pack|exec)(?:=|$)/.test(text)) &&
    name.text !== 'rebase' &&
    name.text !== 'push'
  )
    return void line.ask('runs_inside', scope, { level: 'high' })
  if (rule !== undefined) {
    // An option that is not known until it runs can change everything.
    if (rest.some((word) => word.text.startsWith(unknown) && word.isHidden))
      line.ask('hidden_words', scope, { level: 'high' })
    return void rule(sub)
  }
  if (reading.has(name.text) || local.has(name.text)) {
    if (!/^(?:check-ignore|check-attr|ls-files|status|mv)$/.test(name.text)) {
      const secret = rest.find(
        ({ text }) => !text.startsWith('-') && isSecretPath(`/${text.replace(/^[^:]*:/, '')}`),
      )
      if (secret !== undefined) askSecret(line, secret.text, scope)
    }
    const target = readOptions(rest, '-o --output-directory').given
    for (const option of ['-o', '--output-directory']) {
      const word = target.get(option)
      if (word !== undefined && word.text !== '' && /^(?:archive|format-patch)$/.test(name.text))
        checkWrite(line, word, scope)
    }
    if (name.text === 'bundle' && texts[0] === 'create' && rest[1] !== undefined)
      checkWrite(line, rest[1], scope)
    if (name.text === 'init') for (const word of readOptions(rest, '-b').rest) checkWrite(line, word, scope)
    for (const word of rest)
      if (unsafeLong.test(word.text) && /=|exec|pack|pager|-O/.test(word.text)) unsafe(line, word, scope)
    return
  }
  const alias = line.place.git?.aliases[name.text]
  if (alias === undefined)
    return void line.ask('unknown_command', scope, { values: { command: `git ${name.text}` } })
  if (alias.startsWith('!'))
    return void line.runInside([alias.slice(1), ...texts].join(' ').replaceAll(unknown, '$UNKNOWN'), scope)
  line.call([wordOf('git'), ...alias.split(/\s+/).map((text) => wordOf(text)), ...rest], scope, {
    isInside: true,
  })
}

function unsafe(line: Line, word: Word, scope: Scope): void {
  const [name, value = ''] = word.text.split('=')
  if (name === '--output') checkWrite(line, { ...word, text: value }, scope)
  else if (name === '--no-index' || name === '--textconv') return
  else line.ask('runs_inside', scope, { level: 'high' })
}

export const gitRules: [string, Rule][] = [
  ...rulesFor('git', git),
  ...rulesFor('git-filter-repo bfg', ({ line, scope }) => rewrite(line, scope, 'the whole history')),
  ...rulesFor('hub', ({ line, scope, args }) =>
    line.call([wordOf('git'), ...afterOptions(args)], scope, { isInside: true }),
  ),
]
