/** The files that belong to the repository: what git tracks or would add. */
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Asks git. Returns null when there is no repository, or when git cannot read it. */
function listWithGit(folder) {
  // Without this test git would answer for a repository around the folder.
  if (!existsSync(join(folder, '.git'))) return null
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { status, stdout } = spawnSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return status === 0 ? [...new Set(stdout.split('\0').filter((path) => path !== ''))] : null
}

/**
 * Makes the test for ignored paths from the lines of a .gitignore. It knows names, paths, `*` and a slash at the end.
 *
 * @param {string} text content of a .gitignore
 * @returns {(path: string, isFolder: boolean) => boolean} `path` is relative to the folder of the .gitignore
 * @throws {Error} when a line uses anything else
 */
export function ignoreTest(text) {
  const rules = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      if (/^!|\*\*|[[\]?\\]/.test(line))
        throw new Error(`.gitignore: use only names, paths and * in "${line}", or run this check inside git.`)
      const pattern = line
        .replace(/^\/|\/$/g, '')
        .replace(/[.+^${}()|]/g, '\\$&')
        .replaceAll('*', '[^/]*')
      // A pattern with a slash before its end starts at the root. Another one matches at every depth.
      const start = line.slice(0, -1).includes('/') ? '^' : '(^|/)'
      return { matches: new RegExp(`${start}${pattern}$`), foldersOnly: line.endsWith('/') }
    })
  return (path, isFolder) =>
    rules.some(({ matches, foldersOnly }) => (isFolder || !foldersOnly) && matches.test(path))
}

/** Lists all files below the folder, without the ignored ones. */
function listWithoutGit(folder) {
  const ignores = join(folder, '.gitignore')
  const isIgnored = ignoreTest(existsSync(ignores) ? readFileSync(ignores, 'utf8') : '')
  const visit = (below) =>
    readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.name === '.git' || isIgnored(path, entry.isDirectory())) return []
      return entry.isDirectory() ? visit(path) : [path]
    })
  return visit('')
}

/**
 * Returns the paths of all regular files of the repository, relative to the folder. New files that git would add are among
 * them, so that a secret is found before it is committed.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function repositoryFiles(folder) {
  const paths = listWithGit(folder) ?? listWithoutGit(folder)
  // Git also lists tracked files that were deleted, and links, whose targets are listed themselves.
  return paths.filter((path) => lstatSync(join(folder, path), { throwIfNoEntry: false })?.isFile()).sort()
}
