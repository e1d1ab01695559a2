/** What other programs do to a page in the browser: a translator and an extension. */
import type { BrowserContext } from '@playwright/test'

interface ForeignChanges {
  /** What the translator puts before each text. Empty: the texts stay, so that tests find them. */
  prefix?: string
}

/** Lets a translator and an extension change every page of a browser. */
export async function changePages(
  context: BrowserContext,
  { prefix = '' }: ForeignChanges = {},
): Promise<void> {
  await context.addInitScript(translatePages, prefix)
  await context.addInitScript(extendPages)
}

/**
 * Translates as Chrome does: when the page can be used, each text node becomes `<font><font>…</font></font>`, and later every new one. Some
 * translators keep the node within their element, others replace it, so this one does both in turn.
 */
function translatePages(prefix: string): void {
  const skipped = '[translate=no], script, style, noscript, textarea, option, title, svg, font[data-foreign]'
  let turn = 0
  function translateText(text: Text): void {
    if (text.data.trim() === '' || !text.isConnected || text.parentElement?.closest(skipped)) return
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    outer.dataset.foreign = 'translator'
    outer.append(inner)
    text.replaceWith(outer)
    const [, space = '', words = ''] = /^(\s*)([\s\S]*)$/.exec(text.data) ?? []
    const translated = space + prefix + words
    if (turn++ % 2 === 0) inner.append(translated)
    else {
      inner.append(text)
      text.data = translated
    }
  }
  function translate(node: Node): void {
    if (node instanceof Text) {
      translateText(node)
      return
    }
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) translateText(text)
  }
  function start(): void {
    translate(document.body)
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) translate(node)
    }).observe(document.body, { childList: true, subtree: true })
  }
  /** Waits for tasks of the browser, which no clock of a test stops: React has marked the controls, and uses the page some tasks later. */
  function startSoon(tasks: number): void {
    if (tasks === 0) {
      start()
      return
    }
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => startSoon(tasks - 1)
    port2.postMessage(null)
  }
  function startWhenUsable(): void {
    const isUsable = [...document.querySelectorAll('a, button, input:not([type=hidden])')].every((control) =>
      Object.keys(control).some((key) => key.startsWith('__reactFiber')),
    )
    if (document.readyState === 'complete' && isUsable) startSoon(20)
    else requestAnimationFrame(startWhenUsable)
  }
  startWhenUsable()
}

/** Adds elements as password managers do: at the start of the page, and beside each field, also beside later ones. */
function extendPages(): void {
  const fields = 'input:not([type=hidden])'
  function addTo(place: Element, how: 'prepend' | 'after'): void {
    const added = document.createElement('div')
    added.dataset.foreign = 'extension'
    place[how](added)
  }
  function extend(node: Node): void {
    if (!(node instanceof Element)) return
    for (const field of node.querySelectorAll(fields)) addTo(field, 'after')
  }
  document.addEventListener('DOMContentLoaded', () => {
    addTo(document.body, 'prepend')
    extend(document.body)
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) extend(node)
    }).observe(document.body, { childList: true, subtree: true })
  })
}
