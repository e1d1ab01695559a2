/**
 * Loaded into a server before its own code (`node --import`). Prints a line for each page with the number of statements that the page
 * sent to the database.
 */
import pg from 'pg'

const counts = new WeakMap()
const query = pg.Client.prototype.query

pg.Client.prototype.query = function (...args) {
  // The server keeps the response of a page here while Next renders the page.
  const response = globalThis.beakPageAnswers?.getStore()
  if (response !== undefined) {
    if (!counts.has(response)) response.once('finish', () => print(response))
    counts.set(response, (counts.get(response) ?? 0) + 1)
  }
  return query.apply(this, args)
}

function print(response) {
  process.stdout.write(`statements ${response.req.url} ${counts.get(response)}\n`)
}
