import { expect, it } from 'vitest'
import { ownerOf, ownersIn } from './memory'

it('names the innermost package of a script, and the parts of the service', () => {
  expect(ownerOf('node:internal/url')).toBe('Node.js')
  expect(ownerOf('/srv/node_modules/next/dist/server.js')).toBe('next')
  expect(ownerOf('/srv/node_modules/a/node_modules/@b/c/index.js')).toBe('@b/c')
  expect(ownerOf('/srv/.next/server/chunks/app.js')).toBe('pages (.next)')
  expect(ownerOf('file:///srv/build/chunks/x.mjs')).toBe('server (build)')
})

it('gives an object to the script that is nearest to it', () => {
  const strings = ['', 'script', '/srv/node_modules/pg/index.js', 'held']
  // Nodes: a function, its script, an object that the function holds, and an object that nothing leads to.
  const nodes = [0, 10, 2, 2, 20, 0, 3, 30, 0, 0, 5, 0]
  const edges = [1, 1, 3, 0, 3, 6]
  const meta = {
    node_fields: ['name', 'self_size', 'edge_count'],
    edge_fields: ['type', 'name_or_index', 'to_node'],
    edge_types: [['property', 'internal', 'weak']] as [string[]],
  }
  expect(ownersIn({ snapshot: { meta }, nodes, edges, strings })).toEqual([
    ['pg', 60],
    ['V8', 5],
  ])
})
