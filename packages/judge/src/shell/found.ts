/** What a line is judged with: where it runs, and what was found in it. */

import { definesBuild } from '../build-names'
import type { Finding } from '../findings'
import { absolute, areaOf, isWithin, shownPath } from '../paths'
import type { Place } from '../types'
import type { Ask } from './line'
import type { Input, Scope } from './scope'
import { isKnown, type Word } from './words'

export class Found {
  readonly findings: Finding[] = []
  hasChanged = false
  readonly written = new Map<string, string | null>()
  /** The build files that the person is asked about. */
  readonly buildFiles = new Set<string>()
  protected part = 0
  protected range: [number, number] = [0, 0]

  constructor(
    readonly text: string,
    readonly place: Place,
  ) {}

  /** Returns the scope of a call in a folder. */
  scope(cwd: string): Scope {
    const variables = new Map([
      ['HOME', this.place.home],
      ['TMPDIR', '/tmp'],
    ])
    const input: Input = { kind: 'none' }
    return {
      cwd,
      variables,
      functions: new Map(),
      input,
      next: null,
      range: null,
      isInside: false,
      isScript: false,
      depth: 0,
    }
  }

  ask(
    rule: string,
    scope: Scope,
    { level = 'medium', action = 'run:command', params = {}, values = {} }: Ask = {},
  ): void {
    if (scope.isScript && level !== 'high') return
    const { part, range } = this
    this.findings.push({ rule, values, level, action, params, part, range, isPlain: !scope.isInside })
  }

  build(scope: Scope, files = /./): void {
    const { place } = this
    const area = scope.cwd === null ? 'other' : areaOf(scope.cwd, place)
    if (area !== 'folder' && area !== 'temporary')
      return void this.ask('builds_outside', scope, { values: { path: scope.cwd ?? '' } })
    const own = [...this.written.keys()].filter((path) => definesBuild(path) && isWithin(path, place.folder))
    const changed = [...new Set([...place.changedBuildFiles, ...own])].filter((path) => files.test(path))
    if (changed.length === 0 || changed.every((path) => this.buildFiles.has(path))) return
    for (const path of changed) this.buildFiles.add(path)
    this.ask('changed_build', scope, {
      action: 'run:build',
      params: { files: changed },
      values: { paths: changed.map((path) => shownPath(path, place)).join(', ') },
    })
  }

  path(word: Word, scope: Scope): string | null {
    if (!isKnown(word)) return null
    if (scope.cwd === null && !/^[/~]/.test(word.text)) return null
    return absolute(word.text, scope.cwd ?? '/', this.place.home)
  }
}
