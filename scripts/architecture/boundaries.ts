/** What each part of the code must not know. */
import { isAtOrBelow } from './layers'
import { client, forbiddenImports, productFiles, type Tree } from './tree'

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
        path !== 'lib/kernel/failures.ts' &&
        /\bstatus(Code)?: ?[1-5]\d\d\b/.test(text),
    )
    .map(([path]) => path)
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
      /^app\/(\(site\)|\(account\)|_web|api|badge)\//.test(path) && target.startsWith('lib/domain/'),
  )
}

/** Modules of Node that the verifiers load: browsers run the same code. A type loads nothing. */
export function nodeInVerifiers(tree: Tree): string[] {
  return forbiddenImports(
    tree,
    (path, target, kind) =>
      path.startsWith(`${client}/verify/`) && kind !== 'type' && target.startsWith('node:'),
  )
}
