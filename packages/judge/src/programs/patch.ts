/** Patches in the form of Codex (`*** Update File: src/a.ts`), which the tool `apply_patch` and a program of that name take. */

import { checkRemove, checkWrite } from '../files'
import type { Line } from '../shell/line'
import type { Scope } from '../shell/scope'
import { wordOf } from '../shell/words'
import { type Rule, rulesFor } from './rule'

const heading = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$|^\*\*\* (Move) to: (.+?)\s*$/gm

/** Judges the files of a patch. Returns their names. */
export function checkPatch(line: Line, text: string, scope: Scope): string[] {
  const names = [...text.matchAll(heading)].map(([, kind, name, move, goal]) => ({
    kind: kind ?? move,
    name: name ?? goal ?? '',
  }))
  if (names.length === 0) line.ask('not_parsed', scope)
  const removed = names.filter(({ kind }) => kind === 'Delete').map(({ name }) => wordOf(name))
  if (removed.length > 0) checkRemove(line, removed, scope, false)
  for (const { kind, name } of names) if (kind !== 'Delete') checkWrite(line, wordOf(name), scope)
  return names.map(({ name }) => name)
}

export const patches: [string, Rule][] = rulesFor('apply_patch applypatch', ({ line, scope, args }) => {
  const text =
    args.length > 0
      ? args.map((word) => word.text).join('\n')
      : scope.input.kind === 'text'
        ? scope.input.text
        : ''
  checkPatch(line, text, scope)
})
