import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { releaseNote } from '@/packages/approver/build.mjs'
import { sectionsOf } from '@/scripts/architecture/changelog'

/** The last release before the page and the packages existed. */
const lastWithout = '0.2.0'

/** Returns the releases whose notes do not name their page in the right form. */
function withoutPage(changelog: string): string[] {
  const sections = sectionsOf(changelog)
  const end = sections.findIndex(({ version }) => version === lastWithout)
  return sections
    .slice(0, end)
    .filter(
      ({ version, text }) => version !== 'Unreleased' && !/^Approver page: `sha256:[\da-f]{64}`$/m.test(text),
    )
    .map(({ version }) => version)
}

/** Returns the releases whose notes do not name the digests of both clients in the right form. */
function withoutPackages(changelog: string): string[] {
  const sections = sectionsOf(changelog)
  const end = sections.findIndex(({ version }) => version === lastWithout)
  return sections
    .slice(0, end)
    .filter(({ version, text }) =>
      [`beak-client-${version}.tgz`, `beak_client-${version}-py3-none-any.whl`].some(
        (name) =>
          version !== 'Unreleased' &&
          !new RegExp(`^Package ${name}: \`sha256:[\\da-f]{64}\`$`, 'm').test(text),
      ),
    )
    .map(({ version }) => version)
}

describe('the release notes', () => {
  it('name the packages of each release', () => {
    expect(withoutPackages(readFileSync('CHANGELOG.md', 'utf8'))).toEqual([])
  })

  it('are found out when a release does not name its packages', () => {
    const lines = ['beak-client-0.3.0.tgz', 'beak_client-0.3.0-py3-none-any.whl'].map(
      (name) => `Package ${name}: \`sha256:${'ab'.repeat(32)}\``,
    )
    const changelog = `# Changelog\n\n## [Unreleased]\n\n## [0.4.0] - x\n\n${lines.join('\n')}\n\n## [0.3.0] - x\n\n${lines.join('\n')}\n\n## [${lastWithout}] - x\n`
    expect(withoutPackages(changelog)).toEqual(['0.4.0'])
  })

  // security: site-4
  it('name the approver page of each release that has one', () => {
    expect(withoutPage(readFileSync('CHANGELOG.md', 'utf8'))).toEqual([])
  })

  it('are found out when a release does not name its page', () => {
    const line = releaseNote({ digest: 'ab'.repeat(32) })
    const changelog = `# Changelog\n\n## [Unreleased]\n\n## [0.4.0] - x\n\nApprover page: \`sha256:12\`\n\n## [0.3.0] - x\n\n${line}\n\n## [${lastWithout}] - x\n`
    expect(withoutPage(changelog)).toEqual(['0.4.0'])
  })
})
