/** `git push`: what it sends where, when that is certain. */

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isWithin } from '../paths'
import type { Line } from '../shell/line'
import { readOptions } from '../shell/options'
import type { Scope } from '../shell/scope'
import { isKnown, type Word } from '../shell/words'

/** Options that change neither what is sent nor where. */
const plainOptions =
  /^(?:-u|--set-upstream|-q|--quiet|-v|--verbose|--progress|--no-progress|-n|--dry-run|--porcelain|--verify|-4|-6)$/
const forceOptions = /^(?:-\w*f\w*|--force(?:-with-lease|-if-includes)?(?:=.*)?)$/
const deleting = /^(?:-d|--delete|--mirror|--prune)$/

/** Returns `host/owner/name` of the address of a repository, or null when it is no address on another computer. */
function repositoryOf(address: string): string | null {
  const [, host = '', path = ''] =
    /^(?:ssh|https?|git):\/\/(?:[^@/]*@)?([\w.-]+)(?::\d+)?\/(.+?)\/?$/.exec(address) ??
    /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+?)\/?$/.exec(address) ??
    []
  return host === '' ? null : `${host.toLowerCase()}/${path.replace(/^\/+/, '').replace(/\.git$/, '')}`
}

/** Whether the folder has a repository of its own between it and the folder of the call, such as a submodule. */
function hasOtherRepository(cwd: string, folder: string): boolean {
  for (let at = cwd; at !== folder && isWithin(at, folder); at = dirname(at))
    if (existsSync(join(at, '.git'))) return true
  return false
}

/**
 * Asks about a push.
 *
 * @param isPlain whether the command stands there without options of git or variables that change what it does
 */
export function push(line: Line, args: readonly Word[], scope: Scope, isPlain: boolean): void {
  const { git, folder } = line.place
  const { rest } = readOptions(args, '-o --push-option --repo --receive-pack --exec')
  const options = args.filter(({ text }) => /^-./.test(text)).map(({ text }) => text)
  const [remote, ...refs] = rest
  const isDeleting =
    options.some((text) => deleting.test(text)) || refs.some(({ text }) => /^\+?:/.test(text))
  const isForced =
    options.some((text) => forceOptions.test(text)) || refs.some(({ text }) => text.startsWith('+'))
  if (options.some((text) => /^(?:-n|--dry-run)$/.test(text)) && isPlain) return
  const force = isForced || isDeleting
  const target = targetOf(line, remote, refs)
  const isCertain =
    isPlain &&
    args.every(isKnown) &&
    scope.cwd !== null &&
    isWithin(scope.cwd, folder) &&
    !hasOtherRepository(scope.cwd, folder) &&
    options.every(
      (text) => plainOptions.test(text) || (forceOptions.test(text) && /^(?:-f|--force[\w-]*)/.test(text)),
    ) &&
    !isDeleting &&
    target !== null
  const values = {
    branch: target?.branch ?? refs.map(({ text }) => text).join(' '),
    repository: target?.repository ?? remote?.text ?? 'a repository',
  }
  const rule = isDeleting
    ? 'push_deletes'
    : isForced
      ? 'push_force'
      : target === null
        ? 'push_unclear'
        : 'push'
  line.ask(rule, scope, {
    level: force ? 'high' : 'medium',
    action: isCertain && git !== null ? (force ? 'git:force-push' : 'git:push') : 'run:command',
    params: isCertain ? { ...values, force } : {},
    values,
  })
}

/** Returns repository and branch of a push of one branch, or null. */
function targetOf({ place: { git } }: Line, remote: Word | undefined, refs: readonly Word[]) {
  if (git === null || refs.length > 1) return null
  const name =
    remote?.text ?? (Object.keys(git.remotes).length === 1 ? Object.keys(git.remotes)[0] : 'origin') ?? ''
  const address = Object.hasOwn(git.remotes, name) ? git.remotes[name] : undefined
  const repository = address === undefined ? null : repositoryOf(address)
  const ref = (refs[0]?.text ?? git.branch ?? '').replace(/^\+/, '')
  const [source = '', goal = source] = ref.split(':')
  const branch = (goal === 'HEAD' || goal === '@' ? (git.branch ?? '') : goal).replace(/^refs\/heads\//, '')
  // A tag or a pattern is no branch.
  if (repository === null || source === '' || branch === '' || /[*?[\s^~]|^refs\/|^tag$/.test(branch))
    return null
  return { repository, branch }
}
