/** Reads the format of git's configuration, as far as the judge needs it: no includes. */

interface Setting {
  section: string
  /** The part of a section in quotes: `origin` of `[remote "origin"]`. */
  name: string
  /** In small letters. */
  key: string
  value: string
}

/** Returns the settings of a text in the format of `git config`. */
export function parseGitConfig(text: string): Setting[] {
  const settings: Setting[] = []
  let [section, name] = ['', '']
  for (const line of text.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const heading = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line)
    if (heading !== null) {
      section = (heading[1] ?? '').toLowerCase()
      name = (heading[2] ?? '').replace(/\\(.)/g, '$1')
      continue
    }
    const pair = /^\s*([a-z][\w-]*)\s*(?:=\s*(.*?))?\s*$/i.exec(line)
    if (pair === null || section === '') continue
    settings.push({ section, name, key: (pair[1] ?? '').toLowerCase(), value: plainValue(pair[2] ?? 'true') })
  }
  return settings
}

/** Removes the quotes and the comment of a value. */
function plainValue(text: string): string {
  let value = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '\\') {
      at += 1
      value += { n: '\n', t: '\t', b: '\b' }[text.charAt(at)] ?? text.charAt(at)
    } else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === '#' || character === ';')) break
    else value += character
  }
  return value.trim()
}
