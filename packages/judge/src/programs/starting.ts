/** Options and values with which known programs start another one, or read code that is not in the folder. */

import { absolute, areaOf } from '../paths'
import type { Line } from '../shell/line'
import type { Scope } from '../shell/scope'
import type { Word } from '../shell/words'
import { isDevTool } from './builders'

/** What starts another program, by the name of the program. */
const starts: [RegExp, RegExp][] = [
  [/^go$/, /^--?(?:exec|toolexec)(?:=|$)/],
  [/^(?:rg|ripgrep)$/, /^--(?:pre|hostname-bin)(?:=|$)/],
  [/^(?:g?make|just)$/, /^(?:\.?SHELL(?:FLAGS)?=|--shell(?:=|$))/],
]
/** Options whose file is code, or says which code is run. */
const loads =
  /^--(?:config|config-file|rootdir|confcutdir|root|globalSetup|setupFiles|plugin|require|import)$/
/** Ports at which databases answer by HTTP. */
const databasePort = /(?:localhost|127\.0\.0\.1|\[::1\]):(?:9200|5984|6333|8086|2379|8123|7700|8529|8983)\b/
const makefiles = /^(?:-f|--file|--makefile|--justfile|--taskfile)$/

/** Asks about a program that starts another one, or gets its code from elsewhere. */
export function checkStarting(line: Line, args: readonly Word[], scope: Scope, name: string): void {
  for (const [program, option] of starts)
    if (program.test(name) && args.some(({ text }) => option.test(text)))
      line.ask('runs_inside', scope, { level: 'high' })
  const texts = args.map(({ text }) => text)
  if (
    name === 'git' &&
    texts.includes('apply') &&
    texts.some((text) => /^--(?:unsafe-paths|directory)/.test(text))
  )
    line.ask('unknown_path', scope, { level: 'high' })
  if (
    name === 'curl' &&
    /-X\s*DELETE|--request[ =]DELETE/.test(texts.join(' ')) &&
    databasePort.test(texts.join(' '))
  )
    line.ask('database_destroys', scope, { level: 'high', values: { host: 'the database' } })
  const isMake = /^(?:g?make|just|task)$/.test(name)
  if (!isMake && !isDevTool(name)) return
  for (const [index, { text }] of args.entries()) {
    const [option = '', value = args[index + 1]?.text ?? ''] = text.split('=', 2)
    if (!(isMake ? makefiles : loads).test(option)) continue
    if (value === '-') line.ask('runs_output', scope, { level: 'high' })
    else if (
      /^(?:~|\/|\.\.)/.test(value) &&
      areaOf(absolute(value, scope.cwd ?? '/', line.place.home), line.place) !== 'folder'
    )
      line.ask('runs_outside', scope, { level: 'high', values: { path: value } })
  }
}
