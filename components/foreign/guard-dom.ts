/**
 * Lets React work on a page that other programs change. A translator replaces a text node by an element with the translation, or moves the
 * node into that element. React keeps the text node: it would write into a node that nobody sees, and `removeChild` and `insertBefore`
 * would throw, which replaces the whole page by an error page (facebook/react#11538). So before React changes such a node, the node goes
 * back to its place. The translator then translates the new text, as it does with every later text.
 */

interface Place {
  /** What another program put in the place of the text. */
  foreign: ChildNode
  parent: Node
}

const placeOf = new WeakMap<Node, Place>()
/** The texts that one foreign element replaced: a translator may join neighbours. */
const textsOf = new WeakMap<Node, Text[]>()
/** Texts that React itself removed. */
const removed = new WeakSet<Node>()

let observer: MutationObserver | null = null

/** Translators use `<font>`, other programs elements with a hyphen. Our pages have neither. */
const isForeign = (node: Node | null): node is ChildNode =>
  node instanceof Element && (node.nodeName === 'FONT' || node.nodeName.includes('-'))

/** Returns the child of `parent` in which the node is, or null when it is elsewhere. */
function childWith(node: Node, parent: Node): ChildNode | null {
  for (let current: Node | null = node; current !== null; current = current.parentNode)
    if (current.parentNode === parent) return current as ChildNode
  return null
}

/** Remembers for each text that another program took away what is in its place. */
function note(records: MutationRecord[]): void {
  for (const { target, addedNodes, removedNodes, previousSibling, nextSibling } of records)
    for (const text of removedNodes) {
      if (!(text instanceof Text) || text.parentNode === target || removed.has(text)) continue
      const foreign =
        childWith(text, target) ??
        addedNodes[0] ??
        [previousSibling, nextSibling].find((sibling) => isForeign(sibling))
      if (!foreign || foreign.parentNode !== target) continue
      placeOf.set(text, { foreign: foreign as ChildNode, parent: target })
      textsOf.set(foreign, [...(textsOf.get(foreign) ?? []), text])
    }
}

/** Puts a text back into its place, with the other texts that the same foreign element replaced. */
function putBack(node: Node | null): void {
  if (observer === null || !(node instanceof Text)) return
  note(observer.takeRecords())
  const place = placeOf.get(node)
  if (place === undefined) return
  const { foreign, parent } = place
  const texts = textsOf.get(foreign) ?? []
  for (const text of texts) placeOf.delete(text)
  textsOf.delete(foreign)
  if (foreign.parentNode === parent) foreign.replaceWith(...texts.filter((text) => !removed.has(text)))
}

/** Puts back all texts that were translated, by the records of what was changed. */
export function putBackTexts(records: MutationRecord[]): void {
  note(records)
  for (const { removedNodes } of records)
    for (const text of removedNodes) if (isForeign(placeOf.get(text)?.foreign ?? null)) putBack(text)
}

/** Guards the changes of the document from now on. */
export function guardDom(): void {
  const { appendChild, insertBefore, removeChild } = Node.prototype
  const value = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue')
  const setValue = value?.set
  if (!value || !setValue) return
  observer = new MutationObserver(note)
  observer.observe(document, { childList: true, subtree: true })

  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    putBack(child)
    removed.add(child)
    // Another program moved the node elsewhere, or removed it.
    const parent = child.parentNode
    return parent === null ? child : (removeChild.call(parent, child) as T)
  }
  Node.prototype.appendChild = function <T extends Node>(this: Node, node: T): T {
    putBack(node)
    removed.delete(node)
    return appendChild.call(this, node) as T
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, next: Node | null): T {
    putBack(node)
    putBack(next)
    removed.delete(node)
    return insertBefore.call(this, node, next === null ? null : childWith(next, this)) as T
  }
  Object.defineProperty(Node.prototype, 'nodeValue', {
    ...value,
    set(this: Node, text: string | null) {
      putBack(this)
      setValue.call(this, text)
    },
  })
}
