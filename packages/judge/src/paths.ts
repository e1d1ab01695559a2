/** Where a path leads. */

import { realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Place } from './types'

/** Returns the path that a path leads to when symbolic links are followed. What does not exist keeps its name in its real folder. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(realPath(folder), basename(path))
  }
}

/** Whether a path is a folder or below it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

const temporary = [
  '/tmp',
  '/private/tmp',
  '/var/tmp',
  '/private/var/tmp',
  '/private/var/folders',
  '/var/folders',
  '/dev/shm',
]

/** Returns the absolute path of a text, with `~` and `..` resolved. */
export const absolute = (text: string, cwd: string, home: string): string =>
  resolve(
    cwd,
    text.replace(/^~(?=\/|$)/, () => home),
  )

export type Area = 'folder' | 'temporary' | 'device' | 'system' | 'home' | 'tools' | 'other'

/** Devices that hold nothing. */
const devices = /^\/dev\/(?:null|zero|stdin|stdout|stderr|tty|random|urandom|full|fd\/\d+)$/
/** Folders of the system that hold nobody's data. */
const system =
  /^\/(?:usr|bin|sbin|lib|lib64|opt|nix\/store|etc|proc\/(?:cpuinfo|meminfo|version|loadavg|uptime)|sys|System|Library\/(?:Developer|Frameworks)|Applications|snap)(?:\/|$)/
/** Folders of the home folder in which tools keep packages and settings without secrets. */
const tools =
  /^\.(?:cache|cargo\/(?:bin|registry|git)|rustup|nvm|npm|pyenv|rbenv|asdf|bun|deno|volta|gradle\/caches|m2\/repository|local\/(?:bin|lib|share\/(?:mise|pnpm|uv|virtualenvs))|vscode\/extensions|claude|codex|config\/(?:git|nvim|fish|starship)|gitconfig|gitignore_global|tool-versions|nvmrc|editorconfig|inputrc|vimrc)(?:\/|$)|^go\/pkg(?:\/|$)|^Library\/Caches(?:\/|$)/

const roots = new WeakMap<Place, { folder: string; home: string }>()

/** The folders of a place with symbolic links followed, once for each place. */
function rootsOf(place: Place) {
  const known = roots.get(place)
  if (known !== undefined) return known
  const found = { folder: realPath(place.folder), home: realPath(place.home) }
  roots.set(place, found)
  return found
}

/** Returns the area of an absolute path, with symbolic links followed. */
export function areaOf(path: string, place: Place): Area {
  if (devices.test(path)) return 'device'
  const real = realPath(path)
  const { folder, home } = rootsOf(place)
  if (isWithin(real, folder)) return 'folder'
  if (temporary.some((folder) => isWithin(real, folder))) return 'temporary'
  if (isWithin(real, home)) return tools.test(real.slice(home.length + 1)) ? 'tools' : 'home'
  return system.test(real) ? 'system' : 'other'
}

/** The path as the person sees it: from the folder, or from the home folder. */
export function shownPath(path: string, place: Place): string {
  if (path === place.folder) return '.'
  if (isWithin(path, place.folder)) return relative(place.folder, path)
  return isWithin(path, place.home) ? `~${path.slice(place.home.length)}` : path
}
