/**
 * Counts the files that a command passes through: follows its context through every call that passes it on, also as a member of an object, and
 * the transaction and the row that the command is about. Follows the code, not a run. A value that was read from one of them, such as
 * `context.now`, does not count, and neither do functions in a table, such as the kinds of lib/domain/revocation/kinds.ts.
 */
import { parseAst } from 'vitest/node'
import { type Tree, targetOf } from './tree'

/** A node of the syntax tree. The parser has no types for the nodes of TypeScript. */
type Node = { type: string } & Record<string, unknown>

/** What a variable has of the context: all of it, or in these members. */
type Carried = true | ReadonlySet<string>

/** Variables of these names are followed too, wherever they come from. */
const carriers = ['tx', 'peck']

type Scope = ReadonlyMap<string, Carried>

interface Imported {
  file: string
  name: string
}

interface Module {
  functions: ReadonlyMap<string, Node>
  imports: ReadonlyMap<string, Imported>
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Returns the nodes directly below a node. */
const below = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

const nodesIn = (node: Node): Node[] => [node, ...below(node).flatMap(nodesIn)]

const nameOf = (node: unknown): string => (isNode(node) ? String(node.name ?? node.value ?? '') : '')

const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : [])

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

function readModule(path: string, text: string): Module {
  const functions = new Map<string, Node>()
  const imports = new Map<string, Imported>()
  for (const statement of nodes((parseAst(text, { lang: 'ts' }) as unknown as Node).body)) {
    const declared = isNode(statement.declaration) ? statement.declaration : statement
    if (declared.type === 'FunctionDeclaration') functions.set(nameOf(declared.id), declared)
    for (const { id, init } of nodes(declared.declarations))
      if (isNode(init) && functionTypes.has(init.type)) functions.set(nameOf(id), init)
    if (!isNode(statement.source)) continue
    const file = `${targetOf(path, nameOf(statement.source))}.ts`
    for (const { local, imported, exported } of nodes(statement.specifiers))
      imports.set(nameOf(exported ?? local), { file, name: nameOf(imported ?? local) })
  }
  return { functions, imports }
}

/** Returns what an expression has of the context, or null. */
function carriedBy(expression: Node, scope: Scope): Carried | null {
  const { type } = expression
  if (type === 'Identifier') return scope.get(nameOf(expression)) ?? null
  if (type === 'TSAsExpression' || type === 'TSSatisfiesExpression' || type === 'AwaitExpression')
    return carriedBy((expression.expression ?? expression.argument) as Node, scope)
  if (type === 'MemberExpression') {
    const carried = isNode(expression.object) ? carriedBy(expression.object, scope) : null
    return carried !== null && carried !== true && carried.has(nameOf(expression.property)) ? true : null
  }
  // A context with another time or caller: `withCurrentTime(context)`.
  if (type === 'CallExpression')
    return /^with[A-Z]/.test(nameOf(expression.callee)) &&
      nodes(expression.arguments).some((given) => carriedBy(given, scope) !== null)
      ? true
      : null
  if (type !== 'ObjectExpression') return null
  const members = new Set<string>()
  for (const property of nodes(expression.properties)) {
    const value = (property.argument ?? property.value) as Node
    const carried = isNode(value) ? carriedBy(value, scope) : null
    if (carried === null) continue
    if (property.type === 'SpreadElement') {
      if (carried === true) return true
      for (const member of carried) members.add(member)
    } else members.add(nameOf(property.key))
  }
  return members.size > 0 ? members : null
}

/** Adds what a parameter or a variable gets of the context to a scope. */
function bind(pattern: Node, carried: Carried, scope: Map<string, Carried>): void {
  if (pattern.type === 'AssignmentPattern') bind(pattern.left as Node, carried, scope)
  else if (pattern.type === 'Identifier') scope.set(nameOf(pattern), carried)
  else if (pattern.type === 'ObjectPattern')
    for (const property of nodes(pattern.properties)) {
      if (property.type === 'RestElement') bind(property.argument as Node, carried, scope)
      else if (carried !== true && carried.has(nameOf(property.key)))
        bind(property.value as Node, true, scope)
    }
}

/** Returns the scope inside of a function: its parameters, and variables that get the context. */
function scopeOf(body: Node, given: Scope): Scope {
  const scope = new Map([...carriers.map((name): [string, Carried] => [name, true]), ...given])
  for (const node of nodesIn(body)) {
    if (node.type !== 'VariableDeclarator' || !isNode(node.init)) continue
    const carried = carriedBy(node.init, scope)
    if (carried !== null) bind(node.id as Node, carried, scope)
  }
  return scope
}

/** Returns the files through which the context of an exported function goes, in the order of the first visit. */
export function filesOfTrip(tree: Tree, start: { file: string; name: string }): string[] {
  const modules = new Map<string, Module>()
  const visited = new Set<string>()
  const files = new Set<string>()

  function moduleOf(path: string): Module | null {
    const text = tree.get(path)
    if (text === undefined) return null
    const found = modules.get(path) ?? readModule(path, text)
    modules.set(path, found)
    return found
  }

  function resolve(file: string, name: string): { file: string; node: Node } | null {
    const found = moduleOf(file)
    const node = found?.functions.get(name)
    if (node !== undefined) return { file, node }
    const imported = found?.imports.get(name)
    return imported === undefined ? null : resolve(imported.file, imported.name)
  }

  function visit(from: string, name: string, given: (Carried | null)[]): void {
    const target = resolve(from, name)
    if (target === null) return
    const key = `${target.file} ${name} ${given.map((carried) => (carried === null || carried === true ? carried : [...carried])).join()}`
    if (visited.has(key)) return
    visited.add(key)
    files.add(target.file)
    const params = new Map<string, Carried>()
    nodes(target.node.params).forEach((param, index) => {
      const carried = given[index] ?? null
      if (carried !== null) bind(param, carried, params)
    })
    const scope = scopeOf(target.node.body as Node, params)
    for (const call of nodesIn(target.node.body as Node)) {
      if (call.type !== 'CallExpression') continue
      const passed = nodes(call.arguments).map((argument) => carriedBy(argument, scope))
      if (passed.some((carried) => carried !== null)) visit(target.file, nameOf(call.callee), passed)
    }
  }

  visit(start.file, start.name, [true])
  return [...files]
}
