/**
 * The supply chain checks of `npm test`. Each check returns `{ failed, lines }`. The modules load when their check runs,
 * because `npm test` imports this list before the packages are installed.
 *
 * @typedef {{ failed: boolean, lines: string[] }} CheckResult `lines` are for people: one line when all is well.
 */

/** @type {{ name: string, title: string, run: () => Promise<CheckResult> }[]} */
const checks = [
  {
    name: 'advisories',
    title: 'Known vulnerabilities',
    run: async () => (await import('./advisories.mjs')).checkAdvisories(),
  },
  {
    name: 'sources',
    title: 'Sources of packages',
    run: async () => (await import('./packages.mjs')).checkSources(),
  },
  {
    name: 'packages',
    title: 'Digests and install scripts of packages',
    run: async () => (await import('./packages.mjs')).checkPackages(),
  },
  { name: 'sbom', title: 'Bill of materials', run: async () => (await import('./sbom.mjs')).checkSbom() },
  { name: 'secrets', title: 'Secrets', run: async () => (await import('./secrets.mjs')).checkSecrets() },
]

/** Runs one check. A check that throws has failed. */
async function runCheck(check) {
  process.stdout.write(`\n${check.title}\n`)
  try {
    const { failed, lines } = await check.run()
    for (const line of lines) process.stdout.write(`${line}\n`)
    return !failed
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : error}\n`)
    return false
  }
}

/**
 * Runs the named checks, or all of them, and prints what they found.
 *
 * @param {string[]} names
 * @returns {Promise<boolean[]>} one value for each check: whether it passed
 * @throws {Error} when a name is unknown
 */
export async function runSupplyChecks(names = []) {
  const unknown = names.filter((name) => !checks.some((check) => check.name === name))
  if (unknown.length > 0)
    throw new Error(
      `Unknown check: ${unknown.join(', ')}. Use ${checks.map((check) => check.name).join(', ')}.`,
    )
  const passed = []
  for (const check of checks)
    if (names.length === 0 || names.includes(check.name)) passed.push(await runCheck(check))
  return passed
}
