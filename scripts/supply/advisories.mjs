/**
 * Known vulnerabilities of production dependencies, as `npm audit` reports them. A registry that does not answer cannot fail
 * the tests: many machines that run them are offline or use a mirror without an audit.
 */
import { runNpm } from './npm.mjs'

const limitMs = 60_000

/** Severities that are printed but do not fail the check. An unknown severity fails it. */
const minor = new Set(['info', 'low'])

/** Errors that npm finds before it asks the registry. They are faults of this folder, so the check fails. */
const localErrors = new Set(['ENOLOCK', 'EAUDITNOLOCK', 'EAUDITNOPJSON', 'EJSONPARSE', 'EUSAGE'])

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

const oneLine = (text) => text.replace(/\s+/g, ' ').trim().slice(0, 200)

/** Describes the advisories of one vulnerable package. A text in `via` names the dependency that has the advisory. */
function describe({ name, severity, via }) {
  const causes = via.map((cause) =>
    isObject(cause) ? `${cause.title} (${cause.range}), ${cause.url}` : `through ${cause}`,
  )
  return `${severity}: ${name}: ${causes.join('; ')}`
}

function judgeReport({ vulnerabilities }) {
  const found = Object.values(vulnerabilities)
  const serious = found.filter(({ severity }) => !minor.has(severity))
  const lines = found.map(describe)
  if (serious.length > 0)
    lines.push(
      'Update these packages or replace them. `npm audit --omit=dev` shows which versions are fixed.',
    )
  if (found.length === 0) lines.push('No known vulnerability in the production dependencies.')
  return { failed: serious.length > 0, lines }
}

/** Says why there is no report. Only a fault of this folder fails the check. */
function judgeAbsence(code, answer, timedOut) {
  const error = isObject(answer?.error) ? answer.error : {}
  const failed = localErrors.has(error.code)
  const reason = timedOut
    ? `no answer within ${limitMs / 1000} s`
    : oneLine(
        [error.code, error.summary, answer?.message, error.detail].filter(Boolean).join(' ') ||
          `npm audit printed no report (exit code ${code})`,
      )
  return failed
    ? { failed, lines: [`npm audit cannot read this folder: ${reason}. Run npm install, then try again.`] }
    : { failed, lines: [`Not checked: the registry did not answer the audit (${reason}).`] }
}

/**
 * Decides on the output of `npm audit --omit=dev --json`.
 *
 * @param {{ code: number | null, stdout: string, timedOut?: boolean }} run
 * @returns {import('./checks.mjs').CheckResult} failed when a production dependency has a known vulnerability of severity
 *   moderate or higher
 */
export function judgeAudit({ code, stdout, timedOut = false }) {
  const answer = timedOut ? null : parse(stdout)
  return isObject(answer?.vulnerabilities) ? judgeReport(answer) : judgeAbsence(code, answer, timedOut)
}

/**
 * Asks the registry of this machine about the production dependencies in the lock file.
 *
 * @param {Record<string, string>} [env] more environment variables for npm
 */
export async function checkAdvisories(env) {
  // Without retries an offline machine learns at once that it is offline.
  const args = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=25000']
  return judgeAudit(await runNpm(args, { limitMs, env }))
}
