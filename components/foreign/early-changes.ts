/**
 * Takes back what other programs changed before React uses the page. React compares the page with what it would render, and replaces the
 * whole page when something differs (error 418). The elements of extensions come back afterwards.
 */
import { putBackTexts } from './guard-dom'

declare global {
  interface Window {
    /** Made by `watch-script.tsx`. */
    beakChanges?: { records: MutationRecord[]; observer: MutationObserver }
  }
}

interface Place {
  element: Element
  parent: Node
  next: Node | null
}

/** An extension may add its elements again each time they are removed. */
const roundsMax = 5

let takenAway: Place[] = []
let watch: MutationObserver | null = null

/** What the server sends after the page: data and parts that arrive later. */
const isOwn = (element: Element) => element.matches('script, style, link, template, [hidden]')

/** React marks what it makes itself. */
const isOfReact = (element: Element) => Object.keys(element).some((key) => key.startsWith('__react'))

/** Takes the changes back, and those that still come before React has used the page. */
export function takeBackChanges(): void {
  const changes = window.beakChanges
  if (changes === undefined) return
  const records = [...changes.records, ...changes.observer.takeRecords()]
  changes.observer.disconnect()
  putBackTexts(records)
  takeAway(records)
  let rounds = 0
  watch = new MutationObserver((later) => {
    if (takeAway(later) && ++rounds === roundsMax) watch?.disconnect()
  })
  watch.observe(document.body, { childList: true, subtree: true })
}

/** Takes the foreign elements among those that were added away. Returns whether there were some. */
function takeAway(records: MutationRecord[]): boolean {
  putOwnFirst()
  const places = foreignElements(records).map((element) => {
    const place = { element, parent: element.parentNode as Node, next: element.nextSibling }
    element.remove()
    return place
  })
  takenAway.push(...places)
  return places.length > 0
}

/** Brings the elements of extensions back. */
export function giveBackElements(): void {
  watch?.disconnect()
  for (const { element, parent, next } of takenAway)
    if (parent.isConnected && !element.isConnected)
      parent.insertBefore(element, next?.parentNode === parent ? next : null)
  takenAway = []
}

/** Returns the elements within the page that were added. Of those directly in the body, React needs only its own in front. */
function foreignElements(records: MutationRecord[]): Element[] {
  const own = new Set<Node>()
  const added = new Set<Node>()
  for (const { target, addedNodes, removedNodes } of records) {
    // What is moved was there before.
    for (const node of removedNodes) if (!added.has(node)) own.add(node)
    for (const node of addedNodes)
      if (!(node instanceof Element)) continue
      else if (isOwn(node) || isOfReact(node) || own.has(target)) own.add(node)
      else if (!own.has(node)) added.add(node)
  }
  return [...added].filter((node): node is Element => node.isConnected && node.parentNode !== document.body)
}

/** React takes the first `<div>` of the body for the first element of the page, and skips foreign elements of other kinds only. */
function putOwnFirst(): void {
  const own = document.querySelector('body > div[hidden]:has(+ a[href="#main"])')
  if (own !== null && own !== document.body.firstElementChild) document.body.prepend(own)
}
