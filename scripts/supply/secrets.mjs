/**
 * Scans the files of the repository for secrets: secretlint's recommended rules and our own. Texts in fixtures that only look
 * like secrets are listed, one by one and with a reason, in allowed-secrets.json.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lintSource } from '@secretlint/core'
import { secretLintProfiler } from '@secretlint/profiler'
import { rules as recommended } from '@secretlint/secretlint-rule-preset-recommend'
import { root } from '../prepare.mjs'
import { repositoryFiles } from './repository-files.mjs'
import { ownSecrets } from './secret-rules.mjs'

const list = 'scripts/supply/allowed-secrets.json'

// The profiler keeps every mark and compares each with all earlier ones: 17 seconds for a thousand files. Nobody reads them.
secretLintProfiler.mark = () => {}

/** Rules of the preset that we leave out. (The core ignores `disabled` inside a preset, so the preset is taken apart.) */
const omitted = new Set([
  // A comment must not turn a rule off: exceptions stand in the list.
  '@secretlint/secretlint-rule-filter-comments',
  // It misses short keys, Ed25519 among them. Our own rule finds every private key in PEM.
  '@secretlint/secretlint-rule-privatekey',
])

const config = {
  rules: [...recommended.filter(({ meta }) => !omitted.has(meta.id)), ownSecrets].map((rule) => ({
    id: rule.meta.id,
    rule,
  })),
}

/**
 * @typedef {{ file: string, line: number, rule: string, sha256: string }} Finding `sha256` is the digest of the secret, in
 *   hex. The secret itself is never printed.
 * @typedef {{ file: string, sha256: string, reason: string }} Exception
 */

/**
 * Scans one text.
 *
 * @param {string} file path for the findings
 * @param {string} content
 * @returns {Promise<Finding[]>}
 */
export async function scanText(file, content) {
  const source = { filePath: file, content, ext: '', contentType: 'text' }
  const { messages } = await lintSource({ source, options: { config } })
  return messages.map(({ ruleId, messageId, loc, range }) => ({
    file,
    line: loc.start.line,
    rule: `${ruleId.replace('@secretlint/secretlint-rule-', '')}/${messageId}`,
    sha256: createHash('sha256')
      .update(content.slice(...range))
      .digest('hex'),
  }))
}

/** Scans all text files below a folder. */
async function scanFolder(folder, files) {
  const findings = []
  for (const file of files) {
    const bytes = readFileSync(join(folder, file))
    // Latin-1 keeps every ASCII text of a binary file readable for the rules, so no file is skipped.
    const content = bytes.toString(bytes.includes(0) ? 'latin1' : 'utf8')
    findings.push(...(await scanText(file, content)))
  }
  return findings
}

/**
 * Decides on the findings.
 *
 * @param {{ findings: Finding[], allowed: Exception[], count: number }} facts `count` is the number of scanned files
 * @returns {import('./checks.mjs').CheckResult} failed when a finding is not listed, or a listed one has no reason or is gone
 */
export function judgeSecrets({ findings, allowed, count }) {
  const isSame = (left, right) => left.file === right.file && left.sha256 === right.sha256
  const unlisted = findings.filter((finding) => !allowed.some((item) => isSame(item, finding)))
  const faults = [
    ...unlisted.map(({ file, line, rule, sha256 }) => `${file}:${line}: ${rule}, SHA-256 ${sha256}`),
    ...(unlisted.length > 0
      ? [
          `Remove these secrets, and revoke those that were ever real. A text that only looks like a secret needs an entry in ${list}: file, sha256, reason.`,
        ]
      : []),
    ...allowed
      .filter((item) => !findings.some((finding) => isSame(item, finding)))
      .map(({ file, sha256 }) => `${list}: ${file} no longer has the text ${sha256}. Remove the entry.`),
    ...allowed
      .filter(({ reason }) => typeof reason !== 'string' || reason.trim() === '')
      .map(({ file, sha256 }) => `${list}: ${file} ${sha256} has no reason. Add one.`),
  ]
  return faults.length > 0
    ? { failed: true, lines: faults }
    : { failed: false, lines: [`No secret in ${count} files. ${allowed.length} look-alikes are listed.`] }
}

/**
 * Scans the repository.
 *
 * @param {string} [folder] another folder with its own list
 */
export async function checkSecrets(folder = root) {
  const files = repositoryFiles(folder)
  const allowed = JSON.parse(readFileSync(join(folder, list), 'utf8'))
  return judgeSecrets({ findings: await scanFolder(folder, files), allowed, count: files.length })
}
