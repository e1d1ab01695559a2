/** Makes the archive of a release from what `npm run release` has built. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { isUnusedFile, packagesOf } from './packages.mjs'

/** What the service reads at run time, at the paths of the source code. */
const paths = [
  'CHANGELOG.md',
  'LICENSE',
  'app/_shell/moved-pages.mjs',
  'deploy',
  'docs',
  'lib/db/embedded/create.mjs',
  'lib/db/embedded/worker.mjs',
  'lib/db/schema-engine-thread.mjs',
  'lib/kernel/config/base-url.mjs',
  'next.config.mjs',
  'prisma/migrations',
  'prisma/schema.prisma',
  'public',
  'build/chunks',
  'build/clients',
  'build/operator.mjs',
  'build/server.mjs',
  'build/witness.mjs',
]

/** What a build leaves in the folder of the pages, and no server reads. */
const unusedOfPages = /^(cache|diagnostics|trace|trace-build|turbopack|types|\.stamp)$|\.nft\.json$/

const isProgram = (path) => !/\.(map|test\.ts)$/.test(path)

/** Copies a folder or file below `root` to the same place below `target`. Links stay links. */
function copy(root, target, path, wanted) {
  mkdirSync(join(target, path, '..'), { recursive: true })
  cpSync(join(root, path), join(target, path), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => wanted(relative(root, source).replaceAll('\\', '/')),
  })
}

/** Returns what the release says about itself. `beak.mjs` and messages to hosts read it. */
function describe(version, basePath) {
  const { platform, arch } = process
  // Only glibc has this member.
  const isMusl = platform === 'linux' && !('glibcVersionRuntime' in process.report.getReport().header)
  return {
    version,
    basePath,
    platform,
    arch,
    ...(platform === 'linux' && { libc: isMusl ? 'musl' : 'glibc' }),
  }
}

/** Copies everything into `target`. */
function fill(root, target, pages, release) {
  for (const path of paths) copy(root, target, path, isProgram)
  copy(root, target, 'build/database', () => true)
  copy(root, target, pages, (path) => !unusedOfPages.test(path.slice(pages.length + 1)))
  for (const folder of packagesOf(root, join(root, pages)))
    copy(
      root,
      target,
      folder,
      (path) => !path.slice(folder.length).startsWith('/node_modules') && !isUnusedFile(path),
    )
  for (const name of ['beak', 'beak.mjs', 'README.md'])
    cpSync(join(root, 'scripts', 'release', 'files', name), join(target, name))
  chmodSync(join(target, 'beak'), 0o755)
  const { name, license, engines, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const manifest = { name, version: release.version, private: true, license, type, engines }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(join(target, 'release.json'), `${JSON.stringify(release, null, 2)}\n`)
}

/** Returns what git prints, or null where the sources have no history or there is no git. */
function askGit(root, ...args) {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return null
  }
}

/**
 * Returns the version of a build: the version of the manifest for the commit with its tag, and with the commit in it for each other one, so that
 * "unpack beside the old one" overwrites nothing. Changes that are not committed are named too.
 *
 * @param {string} root
 * @param {string} version the version of the manifest
 * @returns {string}
 */
export function versionOfBuild(root, version) {
  const commit = askGit(root, 'rev-parse', '--short=10', 'HEAD')
  if (commit === null) return version
  const isDirty = askGit(root, 'status', '--porcelain', '--untracked-files=no') !== ''
  const isTagged = askGit(root, 'tag', '--points-at', 'HEAD')?.split('\n').includes(`v${version}`)
  return isTagged && !isDirty ? version : `${version}-g${commit}${isDirty ? '-dirty' : ''}`
}

/** The time of all files in the archive: the time of the last commit, so that the same sources give the same times. */
function timeOf(root) {
  const { SOURCE_DATE_EPOCH } = process.env
  return (
    SOURCE_DATE_EPOCH || (askGit(root, 'log', '-1', '--format=%ct') ?? String(Math.floor(Date.now() / 1000)))
  )
}

/** Packs a folder. Order, owners, modes and times of the files do not depend on the machine. */
function pack(folder, name, time) {
  const options = [
    '--sort=name',
    `--mtime=@${time}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rw,go+r,go-w,a+X',
  ]
  const tar = execFileSync('tar', [...options, '-cf', '-', name], { cwd: folder, maxBuffer: 1024 ** 3 })
  return gzipSync(tar, { level: 6 })
}

/**
 * Writes `beak-<version>.tar.gz` and its digest, in the format of `sha256sum`, into the folder `out`. Returns the path of the archive. The version
 * is that of `versionOfBuild`.
 *
 * @param {{ root: string, out: string, pages: string, basePath: string }} options
 */
export function makeRelease({ root, out, pages, basePath }) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const version = versionOfBuild(root, manifest.version)
  const name = `beak-${version}`
  mkdirSync(out, { recursive: true })
  const staging = mkdtempSync(join(out, '.release-'))
  try {
    fill(root, join(staging, name), pages, describe(version, basePath))
    const bytes = pack(staging, name, timeOf(root))
    const archive = join(out, `${name}.tar.gz`)
    writeFileSync(`${archive}.new`, bytes)
    renameSync(`${archive}.new`, archive)
    const digest = createHash('sha256').update(bytes).digest('hex')
    writeFileSync(`${archive}.sha256`, `${digest}  ${name}.tar.gz\n`)
    return { archive, digest, size: bytes.length }
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}
