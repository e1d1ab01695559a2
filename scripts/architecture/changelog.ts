/** The form of CHANGELOG.md, which people read before they update. */

/** Lines of the section of a release, with its heading. */
const linesMax = 80
const charactersMax = 160

interface Section {
  /** Such as "0.3.0", or "Unreleased". */
  version: string
  text: string
}

/** Returns the sections of a changelog, the newest first. @internal */
export function sectionsOf(changelog: string): Section[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((text) => ({ version: /^\[(.+?)\]/.exec(text)?.[1] ?? '', text }))
}

/** Returns what is too long for a reader: a section of a release, or a line of one. @internal */
export function tooLong(changelog: string): string[] {
  return sectionsOf(changelog)
    .filter(({ version }) => version !== 'Unreleased')
    .flatMap(({ version, text }) => {
      const lines = text.trimEnd().split('\n')
      const wide = lines.filter((line) => line.length > charactersMax)
      return [
        ...(lines.length > linesMax ? [`${version}: ${lines.length} lines`] : []),
        ...wide.map((line) => `${version}: ${line.slice(0, 40)}…`),
      ]
    })
}
