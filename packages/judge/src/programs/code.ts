/** Code of other languages that stands in a line: what it deletes, starts, sends or hides. */

import { existsSync } from 'node:fs'
import { dangerousCommand } from '@beak/decision/risk/commands'
import { isGuarded } from '../files'
import { absolute, areaOf } from '../paths'
import { isSecretPath } from '../secrets'
import type { Line } from '../shell/line'
import type { Scope } from '../shell/scope'
import { hostOf, isLocal } from './network'

/** What code says when it removes, starts, sends, or hides something. The first group of the languages, then the words that all have. */
const dangers: [RegExp, string, 'medium' | 'high'][] = [
  [
    /\b(?:rmtree|removedirs|rimraf|rm_rf|remove_tree|remove_entry|fileutils\.rm\w*|deltree|remove-item|clear-(?:content|disk)|format-volume)\b|\b(?:rd|rmdir|del|erase)\s+\/[a-z]\b|\b(?:unlinkSync|rmSync|rmdirSync)\b|\b(?:unlink|unlinkSync|rmSync|rmdirSync|rmdir|remove)(?:Sync)?\s*\(|\bos\.remove\b|\bfs\.(?:promises\.)?rm\b|File\.delete|\.unlink\(|\bunlink\b|\btruncate(?:Sync)?\s*\(/i,
    'code_deletes',
    'high',
  ],
  [
    /\b(?:os\.(?:system|popen|exec\w*|spawn\w*|kill)|subprocess|child_process|exec(?:Sync|File\w*)?\s*\(|spawn(?:Sync)?\s*\(|popen|pty\.spawn|Kernel\.|IO\.popen|shell_exec|passthru|proc_open|Process\.|Deno\.(?:run|Command)|Bun\.(?:spawn|\$)|zx\b)|\bsystem\s*\(?\s*["'(]|`[^`]+`(?=\s*(?:$|;|\)))|%x[{([]|\bqx\b|\bexec\s+["']/,
    'code_starts',
    'high',
  ],
  [
    /\b(?:requests\.|urllib|urlopen|http\.client|httpx|aiohttp|socket\b|smtplib|ftplib|paramiko|telnetlib|net\.(?:connect|createConnection)|https?\.request|https?\.get|fetch\s*\(|axios|XMLHttpRequest|WebSocket|dgram|Net::HTTP|LWP|open-uri|TCPSocket|IO::Socket|fsockopen|curl_\w+|file_get_contents\s*\(\s*["']http)/,
    'code_sends',
    'medium',
  ],
  [
    /\b(?:eval|exec|compile|Function|vm\.run\w*|instance_eval|class_eval|create_function)\s*\(|\b__import__\b|importlib|\bb64decode|atob\s*\(|from_?hex|fromCharCode|unhexlify|decode64|codecs\.decode|pickle\.loads|marshal\.loads|getattr\s*\(\s*(?:os|__builtins__|builtins)|globals\(\)|\bchr\s*\(\s*\d+\s*\)\s*\+|Buffer\.from\([^)]*,\s*["'](?:base64|hex)/,
    'code_hides',
    'high',
  ],
  [
    /\b(?:os\.environ(?!\s*(?:\[|\.get\(|\.setdefault\())|process\.env\b(?!\.)|ENV\.(?:to_h|each|inspect|map)|\bputs ENV\b|getenv\(\))/,
    'secret_variable',
    'medium',
  ],
  [
    /\b(?:chmod|chown|symlink|setuid|shutdown|os\.kill|process\.kill|Process\.kill)\b/,
    'code_changes',
    'medium',
  ],
]
/** Code that writes files: where, is in its texts. */
const writes =
  /\b(?:write|writeFile|writeFileSync|appendFile\w*|write_text|write_bytes|createWriteStream|copyFile\w*|rename\w*|copy2?|move|mkdir\w*|makedirs|File\.write|puts|spew|print\s+\w*FH|file_put_contents|dump)\s*\(|open\s*\([^)]*["'][^"']*[wax+]\+?b?["']/i
/** Code that changes what the agent's guard reads. */
const guard = /\.claude\b|\.codex\b|disableAllHooks|\bBEAK_|CLAUDE_CONFIG_DIR|CODEX_HOME|hooks\s*=\s*false/i

/** Judges code that stands in a line. */
export function checkCode(line: Line, code: string, scope: Scope): void {
  if (guard.test(code)) line.ask('agent_settings', scope, { level: 'high', action: 'change:agent-settings' })
  for (const [pattern, rule, level] of dangers) {
    const [found] = pattern.exec(code) ?? []
    if (found !== undefined) {
      if (rule === 'code_starts' && runsLiterals(line, code, scope)) continue
      const hosts = [...code.matchAll(/https?:\/\/[^\s"'`)]+/g)].map(([url]) => hostOf(url))
      if (rule === 'code_sends' && hosts.length > 0 && hosts.every(isLocal)) continue
      line.ask(rule, scope, {
        level,
        action: 'run:code',
        values: { words: found.trim().slice(0, 40), name: 'all of the environment' },
      })
    }
  }
  const command = dangerousCommand(code)
  if (command !== null)
    line.ask('dangerous_command', scope, { level: 'high', action: 'run:code', values: { command } })
  checkTexts(line, code, scope)
}

const start =
  /\b(?:subprocess\.\w+|os\.(?:system|popen)|(?:child_process\.)?(?:exec|execSync|execFile|execFileSync|spawn|spawnSync)|system|popen)\s*\(\s*/g
const literal = /^(["'])((?:(?!\1)[^\\\n]|\\.)*)\1/
const list = /^\[((?:\s*(["'])(?:(?!\2)[^\\\n]|\\.)*\2\s*,?)+)\s*\]/
/** Judges the commands that code starts, when all of them stand in it as texts. Returns whether they do. */
function runsLiterals(line: Line, code: string, scope: Scope): boolean {
  const commands: string[] = []
  for (const { 0: call, index } of code.matchAll(start)) {
    const rest = code.slice(index + call.length)
    const raw = literal.exec(rest)?.[2]
    // Characters by their numbers hide what the text says.
    if (/\\[xuUN0-7]/.test(raw ?? '')) return false
    const text = raw?.replace(/\\([\s\S])/g, (_, one: string) => (one === 'n' ? '\n' : one))
    const words = list.exec(rest)?.[1]
    const first =
      text ??
      [...(words ?? '').matchAll(/(["'])((?:(?!\1).)*)\1/g)]
        .map(([, , word = '']) => `'${word.replaceAll("'", "'\\''")}'`)
        .join(' ')
    if (first === '') return false
    // Node gives the words of the command as a list after its name.
    const args =
      text === undefined
        ? undefined
        : list.exec(rest.slice((literal.exec(rest)?.[0] ?? '').length).replace(/^\s*,\s*/, ''))?.[1]
    if (
      text !== undefined &&
      args === undefined &&
      /^\s*[+%]|^\s*\.format|^\s*,\s*[A-Za-z_]\w*\s*[,)]/.test(
        rest.slice((literal.exec(rest)?.[0] ?? '').length),
      )
    )
      return false
    commands.push(
      [first, ...[...(args ?? '').matchAll(/(["'])((?:(?!\1).)*)\1/g)].map(([whole]) => whole)].join(' '),
    )
  }
  for (const command of commands) line.runInside(command, scope)
  return commands.length > 0
}

/** Judges the paths in the texts of code. */
function checkTexts(line: Line, code: string, scope: Scope): void {
  const { place } = line
  const texts = [...code.matchAll(/(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1/g)].map(([, , text = '']) => text)
  for (const text of texts) {
    if (!/^(?:~|\.{0,2}\/|[\w@.-]+\/|\.[a-z])|^[\w-]+\.[a-z]{2,5}$/i.test(text) || /\s|:\/\//.test(text))
      continue
    const path = absolute(text, scope.cwd ?? place.folder, place.home)
    if (isSecretPath(path))
      line.ask('secret_file', scope, { level: 'high', action: 'read:secrets', values: { path: text } })
    else if (writes.test(code) && isGuarded(path, place))
      line.ask('agent_settings', scope, { level: 'high', action: 'change:agent-settings' })
    else if (writes.test(code) && /(?:^|\/)\.git\//.test(path))
      line.ask('git_internals', scope, { level: 'high', values: { path: text } })
    else if (/^(?:~|\/|\.\.\/)/.test(text) && text.length > 2 && !/^\/[\w-]*$|^\/\//.test(text)) {
      const area = areaOf(path, place)
      if (
        !['folder', 'temporary', 'device', 'system', 'tools'].includes(area) &&
        (writes.test(code) || existsSync(path))
      )
        line.ask(writes.test(code) ? 'outside' : 'reads_outside', scope, {
          level: writes.test(code) ? 'medium' : 'low',
          values: { path: text },
        })
      else if (['system', 'tools'].includes(area) && writes.test(code) && !/^\/(?:usr\/bin|bin)\//.test(path))
        line.ask('outside', scope, { values: { path: text } })
    }
  }
  if (/(?:expanduser|homedir\(\)|Path\.home\(\)|Dir\.home|process\.env\.HOME|environ\[["']HOME)/.test(code)) {
    if (writes.test(code)) line.ask('outside', scope, { values: { path: '~' } })
    else if (/\.(?:ssh|aws|netrc|npmrc|gnupg|kube|docker|config)\b/.test(code))
      line.ask('secret_file', scope, { level: 'high', action: 'read:secrets', values: { path: '~' } })
  }
}

const changesModels =
  /\b(?:destroy|delete|update|insert|upsert)(?:_all|_by|_many|_or_create|Many|All)?!?\s*(?:\(|$|['"}])|\.(?:save|create|truncate|drop|bulk_\w+|connection|execute|raw)\b|\bcursor\b/

/** Judges code that runs with the models of a framework: reading is enough for a look, all else is asked. */
export function checkModelCode(line: Line, code: string, scope: Scope): void {
  checkCode(line, code, scope)
  if (changesModels.test(code) || /\.(?:destroy|delete|update|save)/.test(code))
    line.ask('database_destroys', scope, {
      level: 'high',
      action: 'run:statement',
      values: { host: 'the database' },
    })
}
