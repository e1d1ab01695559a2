/** Sets the language for a request or a mail, on the server. */
import { AsyncLocalStorage } from '@/lib/kernel/runtime/async-storage'
import { languageScope } from './language'

/** One per process: the bundles of the server and of Next have their own copy of this module. */
const holder = globalThis as { [languageScope]?: AsyncLocalStorage<string> }
holder[languageScope] ??= new AsyncLocalStorage<string>()
const scope = holder[languageScope]

/** Runs `work`, and everything that it awaits, in a language. `language`: one of `languages`. */
export function inLanguage<T>(language: string, work: () => T): T {
  return scope.run(language, work)
}
