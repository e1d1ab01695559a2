/** What each part of the code must not know. */
import { isAtOrBelow } from './layers'
import { forbiddenImports, importsOf, isTest, productFiles, type Tree, withoutExtension } from './tree'

/** Next in the API, the domain or anything below it. */
export function nextInApiOrLib(tree: Tree): string[] {
  return forbiddenImports(
    tree,
    (path, target) => /^(app\/beak|lib)\//.test(path) && /^next(-auth)?(\/|$)/.test(target),
  )
}

/** Clients of other services: they send requests, they do not answer any. */
const httpClients = ['lib/infrastructure/mail/', 'lib/domain/webhooks/']

/** `Request` and `Response` in the domain or below it. */
export function webTypesInDomain(tree: Tree): string[] {
  return productFiles(tree)
    .filter(
      ([path, text]) =>
        path.startsWith('lib/') &&
        isAtOrBelow(path, 'lib/domain') &&
        !httpClients.some((folder) => path.startsWith(folder)) &&
        /\bnew (Request|Response)\b|\bResponse\.json\(|[:<|]\s*(Next)?(Request|Response)\b/.test(text),
    )
    .map(([path]) => path)
}

/** HTTP status codes outside `lib/http` and the failure table. */
export function statusCodesInLib(tree: Tree): string[] {
  return productFiles(tree)
    .filter(
      ([path, text]) =>
        path.startsWith('lib/') &&
        !path.startsWith('lib/http/') &&
        path !== 'lib/kernel/request/failures.ts' &&
        /\bstatus(Code)?: ?[1-5]\d\d\b/.test(text),
    )
    .map(([path]) => path)
}

/** Imports of tests and of what only tests use, in the product. What the demo data and the tests share is in `lib/factories`. */
export function testsInProduct(tree: Tree): string[] {
  return forbiddenImports(tree, (_, target) => isTest(`${target}.ts`))
}

/** Imports of the database and the domain in `components`, types included: the API's answers have types of their own. */
export function rulesInComponents(tree: Tree): string[] {
  const hidden = /^lib\/(db|infrastructure|domain|worker)\//
  return forbiddenImports(tree, (path, target) => path.startsWith('components/') && hidden.test(target))
}

/** Pages, or code shared by pages, that import the domain, types included. A page calls the API instead. */
export function domainInPages(tree: Tree): string[] {
  return forbiddenImports(
    tree,
    (path, target) =>
      /^app\/(\(site\)|\(account\)|_web|_passkeys|_shell|api|badge)\//.test(path) &&
      target.startsWith('lib/domain/'),
  )
}

/** Imports of the service in the approver, types included: it must not take its words from the host that it checks. Its tests have the fixtures of the service. */
export function serviceInApprover(tree: Tree): string[] {
  return forbiddenImports(
    tree,
    (path, target) => path.startsWith('packages/approver/') && /^(app|components|lib)\//.test(target),
  )
}

/** Modules of Node that the verifiers load: browsers run the same code. A type loads nothing. */
export function nodeInVerifiers(tree: Tree): string[] {
  return forbiddenImports(
    tree,
    (path, target, kind) =>
      path.startsWith('packages/proofs/src/') && kind !== 'type' && target.startsWith('node:'),
  )
}

/**
 * Modules for the server that a component of the browser loads, also through other modules: `components/ui/time` reads a cookie, so the browser
 * needs `BrowserTime`. The build of the pages reports the same, minutes later.
 */
export function serverModulesInBrowser(tree: Tree): string[] {
  const files = new Map(productFiles(tree).map(([path, text]) => [withoutExtension(path), { path, text }]))
  const queue = [...files.values()].filter(({ text }) => text.startsWith("'use client'"))
  const reached = new Set(queue.map(({ path }) => path))
  const violations: string[] = []
  for (const { path, text } of queue)
    for (const { target, kind } of importsOf(path, text)) {
      const next = files.get(target)
      if (kind === 'type') continue
      if (target === 'next/headers' || target === 'components/ui/time')
        violations.push(`${path} imports ${target}`)
      // A server action is called over HTTP.
      else if (next && !reached.has(next.path) && !next.text.startsWith("'use server'")) {
        reached.add(next.path)
        queue.push(next)
      }
    }
  return violations
}
