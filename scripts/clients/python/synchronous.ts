/** Translates the asynchronous client to the synchronous one, so that the two cannot differ. */

const words: [RegExp, string][] = [
  [/\basync (def|with|for)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\bAsync(Beak|Methods|Iterator|Verifier|Client)\b/g, '$1'],
  [/\b__aenter__\b/g, '__enter__'],
  [/\b__aexit__\b/g, '__exit__'],
  [/\baclose\b/g, 'close'],
  [/\baread\b/g, 'read'],
  [/\baiter_bytes\b/g, 'iter_bytes'],
  [/\basyncio\.sleep\b/g, 'time.sleep'],
  [/^import asyncio$/gm, 'import time'],
  [/\b_async_(client|methods|verifier)\b/g, '_$1'],
  [/\basynchronous\b/g, 'synchronous'],
]

/** Returns the synchronous form of a module. */
export function toSynchronous(source: string, notice: string): string {
  const translated = words.reduce(
    (text, [pattern, replacement]) => text.replaceAll(pattern, replacement),
    source,
  )
  // `import asyncio` becomes `import time`, which the module may have too.
  return translated.replace(/^(import \w+)\n\1$/m, '$1').replace(/^"""/, `# ${notice}\n"""`)
}
