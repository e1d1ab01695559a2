/** Reads one sentence in ICU MessageFormat. */
import { parse, TYPE } from '@formatjs/icu-messageformat-parser'

/** An element without words, such as `<time/>`. The parser returns it as text of its own. */
const emptyElement = /^<(\w+)\/>$/

/**
 * A piece of a sentence: a text, a value, an element with its words, or a choice by a value, whose last case is `other`.
 *
 * @typedef {{
 *   text?: string, value?: string, element?: string, children?: Node[],
 *   by?: string, isNumber?: boolean, cases?: [when: string, nodes: Node[]][],
 * }} Node
 */

/**
 * Parses a sentence. Throws when it has another form.
 *
 * @param {string} text
 * @returns {Node[]}
 */
export const parseSentence = (text) => toNodes(parse(text, { shouldParseSkeletons: false }))

function toNodes(elements) {
  return elements.map((element) => {
    if (element.type === TYPE.literal) {
      const [, name] = emptyElement.exec(element.value) ?? []
      return name === undefined ? { text: element.value } : { element: name, children: [] }
    }
    if (element.type === TYPE.argument) return { value: element.value }
    if (element.type === TYPE.tag) return { element: element.value, children: toNodes(element.children) }
    const isNumber = element.type === TYPE.plural
    if (!(isNumber || element.type === TYPE.select) || element.offset || element.pluralType === 'ordinal')
      throw new Error('It may have {value}, <element>, plural and select.')
    const { other, ...cases } = element.options
    const named = [...Object.entries(cases), ['other', other]]
    return { by: element.value, isNumber, cases: named.map(([when, { value }]) => [when, toNodes(value)]) }
  })
}

const distinct = (names) => [...new Set(names)].sort()

/**
 * Returns the names of the values of a sentence, sorted.
 *
 * @param {Node[]} nodes
 * @returns {string[]}
 */
export const valuesIn = (nodes) =>
  distinct(
    nodes.flatMap((node) => [
      ...[node.value ?? node.by ?? []].flat(),
      ...(node.cases ?? []).flatMap(([, inner]) => valuesIn(inner)),
      ...valuesIn(node.children ?? []),
    ]),
  )

/**
 * Returns the names of the elements of a sentence, sorted.
 *
 * @param {Node[]} nodes
 * @returns {string[]}
 */
export const elementsIn = (nodes) =>
  distinct(
    nodes.flatMap((node) => [
      ...[node.element ?? []].flat(),
      ...(node.cases ?? []).flatMap(([, inner]) => elementsIn(inner)),
      ...elementsIn(node.children ?? []),
    ]),
  )
