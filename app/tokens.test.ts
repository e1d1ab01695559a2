import { describe, expect, it } from 'vitest'
import { backgrounds, contrastOf, pairsOf, readColours, strong, texts, themes } from '@/lib/fixtures/colours'
import { filesBelow, readSource } from '@/lib/fixtures/source-files'

describe.each(themes)('the %s theme', (theme) => {
  it('has a contrast of at least 4.5:1 for every pair of text and background', () => {
    const weak = pairsOf(theme).filter(({ values: [text, background] }) => contrastOf(text, background) < 4.5)
    expect(weak).toEqual([])
  })

  it('has a contrast of at least 3:1 between the border of a control and the ground around it', () => {
    const colours = readColours()
    const hexOf = (name: string) => colours.get(name)?.[theme] ?? ''
    const weak = ['ground', 'surface', 'sunken'].filter(
      (ground) => contrastOf(hexOf('edge'), hexOf(ground)) < 3,
    )
    expect(weak).toEqual([])
  })
})

describe('contrastOf', () => {
  it('returns the ratios of the WCAG examples', () => {
    expect(contrastOf('#ffffff', '#000000')).toBeCloseTo(21)
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    expect(contrastOf('#123456', '#123456')).toBe(1)
  })
})

describe('the classes of pages and components', () => {
  const colours = [...readColours().keys()]
  // A picture, not a text: 3:1 is enough, which the test of borders holds.
  const drawn = ['edge']
  const isPair = (text: string, background: string) =>
    strong[background] === text || (backgrounds.includes(background) && texts.includes(text))

  /** Returns the colours of texts and backgrounds in a list of classes, with variants such as `hover:`. */
  const usesOf = (classes: string) =>
    classes.split(/\s+/).flatMap((name) => {
      const [, variant = '', kind, colour = ''] = /^((?:\S+:)?)(text|bg)-([a-z-]+)$/.exec(name) ?? []
      return colours.includes(colour) ? [{ variant, kind, colour }] : []
    })

  /** Returns the pairs in a list of classes that are not declared. A text without a background stands on a usual one. */
  const wrongPairs = (classes: string) => {
    const uses = usesOf(classes)
    const grounds = uses.filter(({ kind }) => kind === 'bg')
    return uses
      .filter(({ kind, colour }) => kind === 'text' && !drawn.includes(colour))
      .filter(({ variant, colour }) => {
        const ground =
          grounds.find((found) => found.variant === variant) ?? grounds.find((found) => found.variant === '')
        return ground ? !isPair(colour, ground.colour) : !texts.includes(colour)
      })
      .map(({ colour }) => `${colour} in "${classes}"`)
  }

  const lists = ['app', 'components']
    .flatMap((folder) => filesBelow(folder, /\.tsx?$/))
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => readSource(path).match(/(["'`])(?:(?!\1)[^\n])*\1/g) ?? [])
    .map((text) => text.slice(1, -1))

  it('show only declared pairs of text and background', () => {
    expect(lists.flatMap(usesOf).length).toBeGreaterThan(500)
    expect(lists.flatMap(wrongPairs)).toEqual([])
  })

  it('use no half-transparent text and no colour outside the tokens', () => {
    const foreign =
      /(?:^|[\s:])(?:text-[a-z-]+\/\d+|(?:text|bg)-(?:white|\[#\w+\]|(?:gray|slate|zinc|red|orange|amber|yellow|green|blue|purple)-\d+))/
    expect(lists.filter((classes) => foreign.test(classes))).toEqual([])
  })

  it.each([
    ['bg-accent text-ink', ['ink in "bg-accent text-ink"']],
    ['text-ground', ['ground in "text-ground"']],
    ['text-ink hover:bg-ink hover:text-accent', ['accent in "text-ink hover:bg-ink hover:text-accent"']],
    ['bg-sunken text-soft hover:text-ink aria-[current]:bg-ink aria-[current]:text-ground', []],
  ])('finds the wrong pairs in %j', (classes, wrong) => {
    expect(wrongPairs(classes)).toEqual(wrong)
  })
})
