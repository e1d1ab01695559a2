/**
 * Known vulnerabilities of production dependencies, as `npm audit` reports them. A registry that does not answer cannot fail the check:
 * many machines that run it are offline or use a mirror without an audit.
 */
import { npmCommand } from '../prepare.mjs'
import { runCommand } from './run-command.mjs'

const limitMs = 60_000

/** Errors that npm finds before it asks the registry. They are faults of this folder, so the check fails. */
const localErrors = new Set(['ENOLOCK', 'EAUDITNOLOCK', 'EAUDITNOPJSON', 'EJSONPARSE', 'EUSAGE'])

function parse(text) {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/** Says why there is no report. Only a fault of this folder fails the check. */
function judgeAbsence(code, { error, message }, timedOut) {
  const failed = localErrors.has(error?.code)
  const words = [error?.code, error?.summary, message, error?.detail].filter(Boolean).join(' ')
  const reason = timedOut
    ? `no answer within ${limitMs / 1000} s`
    : words.replace(/\s+/g, ' ').slice(0, 200) || `npm audit printed no report (exit code ${code})`
  return failed
    ? { failed, lines: [`npm audit cannot read this folder: ${reason}. Run npm install, then try again.`] }
    : { failed, lines: [`Not checked: the registry did not answer the audit (${reason}).`] }
}

/**
 * Decides on the output of `npm audit --omit=dev --audit-level=moderate --json`.
 *
 * @param {{ code: number | null, stdout: string, timedOut?: boolean }} run
 * @returns {import('./checks.mjs').CheckResult} failed when a production dependency has a known vulnerability of severity moderate or higher
 */
export function judgeAudit({ code, stdout, timedOut = false }) {
  const answer = timedOut ? {} : parse(stdout)
  if (!answer.vulnerabilities) return judgeAbsence(code, answer, timedOut)
  const lines = Object.values(answer.vulnerabilities).map(({ name, severity }) => `${severity}: ${name}`)
  if (lines.length === 0)
    return { failed: false, lines: ['No known vulnerability in the production dependencies.'] }
  return { failed: code !== 0, lines: [...lines, '`npm audit --omit=dev` shows the fixed versions.'] }
}

/**
 * Asks the registry of this machine about the production dependencies in the lock file.
 *
 * @param {Record<string, string>} [env] more environment variables for npm
 */
export async function checkAdvisories(env) {
  // Without retries an offline machine learns at once that it is offline.
  const retries = ['--fetch-retries=0', '--fetch-timeout=25000']
  const args = ['audit', '--omit=dev', '--audit-level=moderate', '--json', ...retries]
  return judgeAudit(await runCommand(npmCommand, args, { limitMs, env }))
}
