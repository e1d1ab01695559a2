/** Walks through a shell line and asks the rules of the programs about each command in it. */

import type { Node, Tree } from 'web-tree-sitter'
import type { Parse } from '../grammar'
import type { Place } from '../types'
import { Found } from './found'
import type { Line } from './line'
import { outputOf } from './output'
import { redirect } from './redirections'
import { copyOf, type Scope } from './scope'
import { substitutionText } from './substitutions'
import { isKnown, unknown, type Values, type Word, wordOf, wordsOf } from './words'

/** Texts in texts deeper than this are not read, and asked about. */
const depthMax = 8
/** Commands in a line beyond this number are not read, and asked about. */
const commandsMax = 400
/** So many words of a loop are tried one by one. */
const loopMax = 12

/** Judges one command: its words, of which the first one is the program. */
export type Dispatch = (line: Line, argv: Word[], scope: Scope) => void

export class Walk extends Found implements Line {
  private parts = 0
  private readonly trees: Tree[] = []

  constructor(
    text: string,
    place: Place,
    private readonly parse: Parse,
    private readonly dispatch: Dispatch,
  ) {
    super(text, place)
  }

  /** Judges the whole line. */
  start(cwd: string): void {
    try {
      this.run(this.text, this.scope(cwd))
    } finally {
      for (const tree of this.trees) tree.delete()
    }
  }

  /** Judges a text that a shell runs. */
  run(text: string, scope: Scope): void {
    if (scope.depth > depthMax || this.parts > commandsMax)
      return void this.ask('too_deep', scope, { level: 'high' })
    const tree = this.parse(text)
    this.trees.push(tree)
    const root = tree.rootNode
    if (root.hasError) {
      if (scope.depth === 0) this.range = [0, text.length]
      this.ask('not_parsed', scope, { level: 'medium' })
    }
    const { part, range } = this
    this.statement(root, scope)
    Object.assign(this, { part, range })
  }

  runInside(text: string, scope: Scope, change: Partial<Scope> = {}): void {
    this.run(text, copyOf(scope, { range: this.range, isInside: true, depth: scope.depth + 1, ...change }))
  }

  call(argv: Word[], scope: Scope, change: Partial<Scope> = {}): void {
    if (argv.length === 0) return
    if (scope.depth > depthMax || this.parts > commandsMax)
      return void this.ask('too_deep', scope, { level: 'high' })
    const inner = { ...scope, depth: scope.depth + 1, ...change }
    this.dispatch(this, argv, inner)
    scope.cwd = inner.cwd
  }

  private values(scope: Scope): Values {
    return {
      variable: (name) => (name === 'PWD' ? scope.cwd : (scope.variables.get(name) ?? null)),
      substitution: (node) => {
        const inner = copyOf(scope, {
          input: { kind: 'none' },
          next: null,
          isInside: true,
          depth: scope.depth + 1,
        })
        const before = this.hasChanged
        const { part, range } = this
        for (const child of node.namedChildren) if (child !== null) this.statement(child, inner)
        Object.assign(this, { part, range, hasChanged: before })
        return substitutionText(node, (word) => this.peek(word, scope), scope, this.place)
      },
      range: (node) => scope.range ?? [node.startIndex, node.endIndex],
    }
  }

  /** Returns the words of a node without judging the substitutions in it again. */
  private peek(node: Node, scope: Scope): Word[] {
    return wordsOf(node, { ...this.values(scope), substitution: () => ({ text: null, isHidden: false }) })
  }

  words(node: Node, scope: Scope): Word[] {
    return wordsOf(node, this.values(scope))
  }

  private statements(node: Node, scope: Scope): void {
    for (const child of node.namedChildren) if (child !== null) this.statement(child, scope)
  }

  private statement(node: Node, scope: Scope): void {
    if (this.parts > commandsMax) return void this.ask('too_deep', scope, { level: 'high' })
    switch (node.type) {
      case 'command':
        return void this.command(node, scope)
      case 'declaration_command':
      case 'unset_command':
        return void this.declaration(node, scope)
      case 'variable_assignment':
        return void this.assignment(node, scope)
      case 'pipeline':
        return void this.pipeline(node.namedChildren, scope)
      case 'redirected_statement':
        return void this.redirected(node, scope)
      case 'subshell':
        return void this.statements(node, copyOf(scope))
      case 'function_definition': {
        const name = node.childForFieldName('name')?.text ?? ''
        scope.functions.set(name, node.childForFieldName('body')?.text ?? '')
        this.hasChanged = true
        return
      }
      case 'for_statement':
        return void this.loop(node, scope)
      case 'while_statement':
      case 'c_style_for_statement':
        return void this.statements(node, copyOf(scope, { isInside: true }))
      case 'comment':
      case 'heredoc_body':
        return
      case 'word':
      case 'string':
      case 'concatenation':
      case 'simple_expansion':
      case 'expansion':
      case 'command_substitution':
      case 'process_substitution':
        this.words(node, scope)
        return
      default:
        return void this.statements(node, scope)
    }
  }

  private begin(node: Node, scope: Scope): void {
    this.parts += 1
    this.part = this.parts
    this.range = scope.range ?? [node.startIndex, node.endIndex]
  }

  /** Judges a command with assignments before it and redirections in it. */
  private command(node: Node, scope: Scope): void {
    const own = copyOf(scope)
    const argv: Word[] = []
    const assigned: Node[] = []
    const redirects: Node[] = []
    for (const child of node.children) {
      if (child === null) continue
      if (child.type === 'variable_assignment') assigned.push(child)
      else if (/_redirect$/.test(child.type)) redirects.push(child)
      // `time (…)` is a command with a subshell for the grammar.
      else if (child.type === 'subshell') this.statement(child, scope)
      else if (child.isNamed || child.type !== ';') argv.push(...this.words(child, scope))
    }
    this.begin(node, scope)
    for (const one of redirects) redirect(this, one, own)
    for (const one of assigned) this.assign(one, own, true)
    // Functions, folder and variables that the command changes stay after it.
    const running = { ...scope, input: own.input, isInside: scope.isInside || assigned.length > 0 }
    if (argv.length > 0) this.dispatch(this, argv, running)
    scope.cwd = running.cwd
  }

  private declaration(node: Node, scope: Scope): void {
    this.begin(node, scope)
    const argv = [wordOf(node.children[0]?.text ?? 'declare')]
    for (const child of node.namedChildren) {
      if (child === null) continue
      if (child.type === 'variable_assignment') this.assign(child, scope, true)
      else argv.push(...this.words(child, scope))
    }
    this.call(argv, scope)
  }

  private assignment(node: Node, scope: Scope): void {
    this.begin(node, scope)
    this.assign(node, scope, false)
  }

  /** Remembers the value of a variable, and asks about variables that change what programs do. */
  private assign(node: Node, scope: Scope, isExported: boolean): void {
    const name = node.childForFieldName('name')?.text ?? ''
    const value = node.childForFieldName('value')
    const target = node.childForFieldName('name')
    // An index can hold a substitution: `a[$(…)]=1`.
    if (target?.type === 'subscript') this.words(target, copyOf(scope))
    const words = value === null ? [wordOf('')] : this.words(value, copyOf(scope))
    const [word] = words
    const isWhole = words.length === 1 && word !== undefined && isKnown(word) && !node.text.includes('+=')
    this.setVariable(scope, name, isWhole ? (word?.text ?? '') : null)
    const shown = words.map(({ text }) => text).join(' ')
    this.call([wordOf('export'), wordOf(`${name}=${shown}`)], scope, {
      isInside: scope.isInside || !isExported,
    })
  }

  setVariable(scope: Scope, name: string, value: string | null): void {
    this.hasChanged = true
    scope.variables.set(name, scope.variables.has(name) && scope.isInside ? null : value)
  }

  /** Judges the commands of a pipe. Each one gets the programs before it as its input. */
  pipeline(nodes: readonly (Node | null)[], scope: Scope): void {
    let { input } = scope
    for (const [index, node] of nodes.entries()) {
      if (node === null || node.type === 'comment') continue
      const own = copyOf(scope, { input, next: nodes[index + 1]?.text ?? null })
      this.statement(node, own)
      input = outputOf(node, input, (word) => this.peek(word, scope))
    }
  }

  private redirected(node: Node, scope: Scope): void {
    const body = node.childForFieldName('body')
    this.begin(node, scope)
    const own = copyOf(scope)
    const after: Node[] = []
    for (const child of node.namedChildren) {
      if (child === null || !/_redirect$/.test(child.type)) continue
      after.push(...redirect(this, child, own))
    }
    this.rememberText(node, own)
    if (body !== null) {
      const running = { ...scope, input: own.input }
      this.statement(body, running)
      scope.cwd = running.cwd
    }
    // The grammar puts what follows the start of a here-document into it: `cat <<E | sh`.
    const piped = copyOf(scope, {
      input: body === null ? own.input : outputOf(node, own.input, (word) => this.peek(word, scope)),
    })
    for (const next of after) {
      if (next.type === 'pipeline') this.pipeline(next.namedChildren, piped)
      else this.statement(next, piped)
    }
  }

  /** Remembers the text of a file that the line makes: `cat > run.sh <<EOF`. */
  private rememberText(node: Node, scope: Scope): void {
    const output = outputOf(node, scope.input, (word) => this.peek(word, scope))
    for (const child of node.descendantsOfType('file_redirect')) {
      const target = child?.childForFieldName('destination')
      if (target == null || !/^\d*>\|?\s*[^&\s]/.test(child?.text ?? '')) continue
      for (const word of this.peek(target, scope)) {
        const path = this.path(word, scope)
        if (path !== null) this.written.set(path, output.kind === 'text' ? output.text : null)
      }
    }
  }

  /** Judges the body of a loop for each of its words, or with a value that is not known. */
  private loop(node: Node, scope: Scope): void {
    const name = node.childForFieldName('variable')?.text ?? ''
    const body = node.childForFieldName('body')
    const words = node
      .childrenForFieldName('value')
      .flatMap((child) => (child === null ? [] : this.words(child, scope)))
    const few = words.length > 0 && words.length <= loopMax ? words : [wordOf(unknown)]
    for (const word of few) {
      const inner = copyOf(scope, { isInside: true })
      inner.variables.set(name, isKnown(word) ? word.text : null)
      if (body !== null) this.statement(body, inner)
    }
    this.hasChanged = true
  }
}
