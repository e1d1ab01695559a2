/**
 * The library of the authorization server, without its warning about Node.js 20, on which the tests of this service run. The warning is written while
 * the library loads, so this module loads it.
 */
const { warn } = console
console.warn = (...texts: unknown[]) => {
  if (!String(texts[0]).includes('Unsupported runtime')) warn(...texts)
}
const library = await import('oidc-provider')
console.warn = warn

export const { default: Provider, errors, interactionPolicy } = library
