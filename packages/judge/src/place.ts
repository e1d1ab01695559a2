/** Reads what the judge needs to know about the computer. Starts no process: a hook has little time, and a repository can configure git. */

import { createHash } from 'node:crypto'
import { readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { buildNames } from './build-names'
import { parseGitConfig } from './git-config'
import type { Place } from './types'

const readText = (path: string) => readFile(path, 'utf8').catch(() => null)

/** Folders of the root whose files all define builds. */
const buildFolders = ['.github/workflows', '.husky', '.cargo', '.git/hooks']
/** Folders that hold packages, whose own files define builds too: `packages/client/package.json`. */
const skippedFolders = new Set(['node_modules', 'dist', 'build', 'out', 'target', 'vendor', 'coverage'])
/** More folders than this are not looked into: a hook has little time. */
const foldersMax = 200

async function buildFilesIn(folder: string): Promise<string[]> {
  const found: string[] = []
  let looked = 0
  const visit = async (path: string, depth: number, all: boolean): Promise<void> => {
    looked += 1
    if (looked > foldersMax) return
    const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const inner = join(path, entry.name)
      if (entry.isDirectory()) {
        if (depth > 0 && !entry.name.startsWith('.') && !skippedFolders.has(entry.name))
          await visit(inner, depth - 1, all)
      } else if (all ? !entry.name.endsWith('.sample') : buildNames.test(entry.name)) found.push(inner)
    }
  }
  await visit(folder, 2, false)
  for (const name of buildFolders) await visit(join(folder, name), 0, true)
  return found.sort()
}

/** Returns the folder of git of a repository: `.git`, or what the file `.git` of a worktree names. */
async function gitFolderOf(folder: string): Promise<string | null> {
  const path = join(folder, '.git')
  if ((await readdir(path).catch(() => null)) !== null) return path
  const [, target = ''] = /^gitdir: (.+)$/m.exec((await readText(path)) ?? '') ?? []
  return target === '' ? null : resolve(folder, target)
}

async function findRoot(cwd: string): Promise<string | null> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if ((await gitFolderOf(folder)) !== null) return folder
    if (dirname(folder) === folder) return null
  }
}

async function readGit(folder: string, home: string): Promise<Place['git']> {
  const own = await gitFolderOf(folder)
  if (own === null) return null
  const common = resolve(own, ((await readText(join(own, 'commondir'))) ?? '.').trim())
  const head = (await readText(join(own, 'HEAD'))) ?? ''
  const [, branch = null] = /^ref: refs\/heads\/(.+)$/m.exec(head) ?? []
  const texts = await Promise.all(
    [join(home, '.config', 'git', 'config'), join(home, '.gitconfig'), join(common, 'config')].map(readText),
  )
  const remotes: Record<string, string> = {}
  const aliases: Record<string, string> = {}
  for (const { section, name, key, value } of texts.flatMap((text) => parseGitConfig(text ?? ''))) {
    if (section === 'remote' && (key === 'url' || key === 'pushurl')) {
      // A push goes to `pushurl` when there is one.
      if (key === 'pushurl' || remotes[name] === undefined) remotes[name] = value
    } else if (section === 'alias') aliases[name === '' ? key : name] = value
  }
  return { branch, remotes, aliases }
}

/** The key in the digests that says that a folder was seen. */
const markOf = (folder: string) => folder + sep

/**
 * Reads the place of a call.
 *
 * @param answered the SHA-256 digests of build files about which the person last answered, by path. In a folder that is seen for
 *   the first time, all files count as answered, and their digests are returned in `seen`.
 * @param guardedPaths absolute paths of settings and hooks of the coding agents and of the files of Beak
 */
export async function readPlace(
  cwd: string,
  home: string,
  answered: Record<string, string>,
  guardedPaths: string[],
): Promise<{ place: Place; seen: Record<string, string> }> {
  const real = await realpath(cwd).catch(() => resolve(cwd))
  const root = await findRoot(real)
  // A repository in the home folder itself would make all of it one folder.
  const folder = root === null || home === root || home.startsWith(root + sep) ? real : root
  const seen: Record<string, string> = {}
  const changedBuildFiles: string[] = []
  // A file that is new in a folder which was seen before may have been written by the agent.
  const isFirst = !Object.hasOwn(answered, markOf(folder))
  if (isFirst) seen[markOf(folder)] = ''
  for (const path of folder === home ? [] : await buildFilesIn(folder)) {
    const content = await readFile(path).catch(() => null)
    if (content === null) continue
    const digest = createHash('sha256').update(content).digest('hex')
    const known = Object.hasOwn(answered, path) ? answered[path] : undefined
    if (known === undefined && isFirst) seen[path] = digest
    else if (known !== digest) changedBuildFiles.push(path)
  }
  return {
    place: {
      home,
      folder,
      git: root === null ? null : await readGit(root, home),
      changedBuildFiles,
      guardedPaths,
    },
    seen,
  }
}
