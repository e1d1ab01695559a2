/** The subcommands of git that can lose work, rewrite history, run something, or send. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkWrite } from '../files'
import { areaOf } from '../paths'
import type { Line } from '../shell/line'
import { readOptions } from '../shell/options'
import type { Scope } from '../shell/scope'
import { unknown, type Word, wordOf } from '../shell/words'
import { push } from './git-push'

/** Settings of git that start programs or change where it sends. */
const dangerousSetting =
  /^(?:core\.(?:sshcommand|hookspath|fsmonitor|pager|editor|askpass|gitproxy|worktree|attributesfile)|alias\.|credential\.|url\.|filter\.|diff\.(?:external|[\w-]+\.(?:command|textconv))|merge\.[\w-]+\.driver|mergetool\.|difftool\.|pager\.|sequence\.editor|gpg\.|http\.|remote\.|branch\.[^.]+\.(?:remote|pushremote|merge)|push\.|include|protocol\.|receive\.|uploadpack\.|ssh\.|sendemail\.|init\.templatedir|submodule\.|lfs\.|user\.signingkey|safe\.)/i

export const harmlessSetting =
  /^(?:user\.(?:name|email)|core\.(?:quotepath|autocrlf|longpaths|filemode|pager=(?:cat)?$)|color\.|advice\.|diff\.(?:renames|algorithm|context|color\w*|nocolor)|log\.|pull\.(?:rebase|ff)|merge\.(?:conflictstyle|ff)|rebase\.auto\w+|init\.defaultbranch|commit\.gpgsign|fetch\.prune|push\.(?:autosetupremote|default)|http\.postbuffer|column\.|i18n\.|gc\.auto|rerere\.enabled)/i

/** Whether the branch that is checked out has been sent to a remote. */
function isPublished(line: Line): boolean {
  const { git, folder } = line.place
  if (git?.branch == null) return false
  const remotes = join(folder, '.git', 'refs', 'remotes')
  try {
    if (readdirSync(remotes).some((remote) => existsSync(join(remotes, remote, git.branch ?? ''))))
      return true
  } catch {
    // No remote was fetched yet.
  }
  try {
    return new RegExp(
      `refs/remotes/[^/\\s]+/${git.branch.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`,
      'm',
    ).test(readFileSync(join(folder, '.git', 'packed-refs'), 'utf8'))
  } catch {
    return false
  }
}

export const rewrite = (line: Line, scope: Scope, what: string, level: 'low' | 'medium' | 'high' = 'high') =>
  line.ask('rewrites_history', scope, { level, action: 'git:rewrite', values: { what } })

const discard = (line: Line, scope: Scope, what: string, level: 'medium' | 'high' = 'medium') =>
  line.ask('discards_changes', scope, { level, action: 'git:discard', values: { what } })

export interface Sub {
  line: Line
  scope: Scope
  args: Word[]
  /** The words as texts. */
  texts: string[]
  has(pattern: RegExp): boolean
  /** Whether no option of git and no variable changes what it does. */
  isPlain: boolean
}

export const subcommands: Record<string, (sub: Sub) => void> = {
  push: ({ line, scope, args, isPlain }) => push(line, args, scope, isPlain),
  commit: ({ line, scope, has }) => {
    if (has(/^(?:--no-verify|-\w*n\w*)$/))
      line.ask('skips_check', scope, { values: { what: 'the hooks of the repository' } })
    if (has(/^--amend$/) && isPublished(line)) rewrite(line, scope, 'a commit that others have', 'low')
    line.build(scope, /\.git\/hooks|\.husky|pre-commit|lefthook/)
  },
  pull: ({ line, scope, args, has }) => {
    if (readOptions(args).rest.some(({ text }) => /:\/\/|@.*:/.test(text)))
      line.ask('fetches_code', scope, { values: { what: 'another repository' } })
    if (has(/^(?:-f|--force)$/)) rewrite(line, scope, 'branches', 'medium')
    line.hasChanged = true
  },
  switch: ({ line, scope, has }) => {
    line.hasChanged = true
    if (has(/^(?:-f|--force|--discard-changes)$/)) discard(line, scope, 'all changes')
    if (has(/^(?:-C|--force-create)$/)) rewrite(line, scope, 'a branch', 'medium')
  },
  checkout: ({ line, scope, args, texts, has }) => {
    line.hasChanged = true
    if (has(/^(?:-f|--force)$/)) return discard(line, scope, 'all changes')
    if (has(/^-B$/)) return rewrite(line, scope, 'a branch', 'medium')
    // The last two choose a side of a conflict.
    if (has(/^(?:-b|--orphan|--track|-t|--ours|--theirs)$/)) return
    const at = texts.indexOf('--')
    const paths =
      at >= 0
        ? args.slice(at + 1)
        : readOptions(args).rest.filter((word, index) => isFile(line, word, scope) || index > 0)
    if (paths.length > 0)
      discard(line, scope, paths.map(({ text }) => text).join(' '), texts.includes('.') ? 'high' : 'medium')
  },
  restore: ({ line, scope, args, has }) => {
    if (has(/^(?:-S|--staged)$/) && !has(/^(?:-W|--worktree)$/)) return
    discard(
      line,
      scope,
      readOptions(args, '-s --source')
        .rest.map(({ text }) => text)
        .join(' '),
    )
  },
  reset: ({ line, scope, args, has }) => {
    if (has(/^--(?:hard|merge|keep)$/)) return discard(line, scope, 'all changes, and commits', 'high')
    const [target] = readOptions(args).rest
    if (
      target !== undefined &&
      /[~^]|^[0-9a-f]{7,}$|\//.test(target.text) &&
      !isFile(line, target, scope) &&
      isPublished(line)
    )
      rewrite(line, scope, 'commits that others have', 'low')
  },
  clean: ({ line, scope, has }) => {
    if (!has(/^(?:-\w*n\w*|--dry-run)$/)) discard(line, scope, 'files that git does not have', 'high')
  },
  stash: ({ line, scope, texts }) => {
    if (/^(?:drop|clear)$/.test(texts[0] ?? ''))
      discard(line, scope, 'stashed changes', texts[0] === 'clear' ? 'high' : 'medium')
  },
  branch: ({ line, scope, args, has }) => {
    if (has(/^(?:-\w*D\w*|-M|-C)$/) || (has(/^(?:-d|--delete|-m|-c)$/) && has(/^(?:-f|--force)$/)))
      rewrite(line, scope, 'a branch that may not be merged', has(/^-M$/) ? 'medium' : 'high')
    else if (has(/^(?:-f|--force)$/)) rewrite(line, scope, 'a branch', 'medium')
    if (has(/^(?:-m|-M|-u|--set-upstream-to.*|--move)$/) || readOptions(args).rest.length === 0)
      line.hasChanged ||= has(/^-/)
  },
  tag: ({ line, scope, has }) => {
    if (has(/^(?:-d|--delete|-f|--force)$/)) rewrite(line, scope, 'a tag', 'medium')
  },
  rebase: ({ line, scope, args, has }) => {
    line.hasChanged = true
    const command = readOptions(args, '-x --exec --onto -s -X').given
    for (const name of ['-x', '--exec']) {
      const script = command.get(name)
      if (script !== undefined) line.runInside(script.text.replaceAll(unknown, '$UNKNOWN'), scope)
    }
    if (!has(/^--(?:continue|abort|skip|quit|edit-todo|show-current-patch)$/) && isPublished(line))
      rewrite(line, scope, 'commits that others have', 'medium')
  },
  rm: ({ line, scope, has }) => {
    if (has(/^(?:-\w*f\w*|--force)$/) && !has(/^--cached$/)) discard(line, scope, 'files with changes')
  },
  config: ({ line, scope, args, texts, has }) => {
    const { rest } = readOptions(args, '-f --file --type --blob --default')
    const words = rest
      .map(({ text }) => text)
      .filter((text) => !/^(?:set|unset|get|list|edit|add)$/.test(text))
    const isReading =
      has(/^(?:--get.*|--list|-l|--show-origin)$/) ||
      /^(?:get|list)$/.test(texts[0] ?? '') ||
      (words.length === 1 &&
        !has(/^(?:--unset.*|--add|-e|--edit|--remove-section|--rename-section)$/) &&
        !/^(?:unset|edit)$/.test(texts[0] ?? ''))
    if (isReading) {
      if (/^(?:credential|http\..*extraheader)/i.test(words[0] ?? ''))
        line.ask('secret_file', scope, { values: { path: words[0] ?? '' } })
      return
    }
    line.hasChanged = true
    const key = words[0] ?? ''
    if (has(/^(?:--global|--system)$/))
      line.ask('git_settings', scope, {
        level: dangerousSetting.test(key) ? 'high' : 'medium',
        values: { key },
      })
    else if (!harmlessSetting.test(key)) line.ask('git_settings', scope, { level: 'high', values: { key } })
  },
  remote: ({ line, scope, texts }) => {
    if (
      /^(?:add|set-url|rename|remove|rm|set-head|update|prune)$/.test(
        texts.find((text) => !text.startsWith('-')) ?? '',
      )
    ) {
      line.hasChanged = true
      if (!/^(?:update|prune|set-head)$/.test(texts[0] ?? ''))
        line.ask('git_settings', scope, { values: { key: 'remote' } })
    }
  },
  clone: ({ line, scope, args, has }) => {
    if (has(/^(?:-c|--config|-u|--upload-pack|--template)/)) line.ask('runs_inside', scope, { level: 'high' })
    const [from, to] = readOptions(
      args,
      '-b --branch --depth -o --origin --reference -j --filter --shallow-since',
    ).rest
    if (from !== undefined && /^ext::|^-/.test(from.text)) line.ask('runs_inside', scope, { level: 'high' })
    const name =
      (from?.text ?? '')
        .replace(/\/+$/, '')
        .split(/[/:]/)
        .at(-1)
        ?.replace(/\.git$/, '') ?? ''
    checkWrite(line, to ?? wordOf(`./${name}`), scope)
  },
  worktree: ({ line, scope, args, texts, has }) => {
    const [, path] = readOptions(args, '-b -B --reason').rest
    if (texts[0] === 'add' && path !== undefined) checkWorktree(line, path, scope)
    if (texts[0] === 'remove' && has(/^(?:-f|--force)$/)) discard(line, scope, 'a working tree')
  },
  submodule: ({ line, scope, args, texts }) => {
    const sub = texts.find((text) => !text.startsWith('-')) ?? 'status'
    if (sub === 'foreach')
      line.runInside(
        args
          .slice(texts.indexOf('foreach') + 1)
          .map(({ text }) => text.replaceAll(unknown, '$UNKNOWN'))
          .join(' '),
        scope,
      )
    else if (!/^(?:status|init|update|sync|summary)$/.test(sub))
      line.ask('git_settings', scope, { values: { key: 'submodule' } })
  },
  bisect: ({ line, scope, args, texts }) => {
    line.hasChanged = true
    if (texts[0] === 'run') line.call(args.slice(1), scope, { isInside: true })
  },
  apply: ({ line, scope, args }) => {
    const folder = readOptions(args, '--directory').given.get('--directory')
    if (folder !== undefined) checkWrite(line, folder, scope)
  },
  difftool: ({ line, scope, args }) => {
    const { given } = readOptions(args, '-x --extcmd -t --tool')
    const script = given.get('-x') ?? given.get('--extcmd')
    if (script !== undefined) line.runInside(script.text.replaceAll(unknown, '$UNKNOWN'), scope)
  },
  reflog: ({ line, scope, texts }) => {
    if (/^(?:expire|delete|drop)$/.test(texts[0] ?? '')) rewrite(line, scope, 'what git can bring back')
  },
  gc: ({ line, scope, has }) => {
    if (has(/^--prune(?:=(?:now|all).*)?$/)) rewrite(line, scope, 'what git can bring back')
  },
  lfs: ({ line, scope, texts }) => {
    if (/^(?:push|migrate|prune|lock|unlock)$/.test(texts[0] ?? ''))
      line.ask('push_unclear', scope, { values: { branch: '', repository: 'git lfs' } })
  },
  'symbolic-ref': ({ line, args }) => {
    if (readOptions(args).rest.length > 1) line.hasChanged = true
  },
}

/** Worktrees usually stand beside the folder of the repository. */
function checkWorktree(line: Line, path: Word, scope: Scope): void {
  const target = line.path(path, scope)
  if (target !== null && !['home', 'folder', 'temporary'].includes(areaOf(target, line.place)))
    checkWrite(line, path, scope)
}

function isFile(line: Line, word: Word, scope: Scope): boolean {
  if (word.text === '.' || word.isGlob) return true
  const path = line.path(word, scope)
  return path !== null && (existsSync(path) || /\.[a-z]{1,4}$/.test(word.text)) && !/^[\w-]+$/.test(word.text)
}

for (const name of ['filter-branch', 'filter-repo', 'replace', 'prune', 'update-ref', 'fast-import'])
  subcommands[name] = ({ line, scope }) => rewrite(line, scope, 'the history')
for (const name of [
  'send-email',
  'svn',
  'daemon',
  'credential',
  'request-pull',
  'imap-send',
  'cvsexportcommit',
  'p4',
  'shell',
  'http-push',
  'send-pack',
  'instaweb',
])
  subcommands[name] = ({ line, scope, texts }) =>
    line.ask('sends', scope, {
      level: 'high',
      action: 'send:data',
      values: { host: texts.join(' ').slice(0, 40) },
    })
