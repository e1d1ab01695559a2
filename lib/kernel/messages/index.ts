/**
 * The sentences of pages and mails, from the tables `<area>.<language>.json` beside the code: `m.inbox_caught_up()` returns the sentence in the language of the
 * current request or mail (`lib/kernel/text/language.ts`). Call it when the sentence is shown, not when a module is loaded.
 */
export * as m from './generated/index.js'
