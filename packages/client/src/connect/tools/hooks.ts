/** The hooks in the settings. Both coding agents have the same form for them. */
import { z } from 'zod'
import { type EventName, eventsOf, hookCommand, isAboutCall } from '../launcher'
import type { Layout, ToolName } from '../layout'
import { withValue } from '../settings'

/**
 * How many seconds the coding agents wait for the hook: a day. A hook that hangs then keeps the command waiting, where a short limit would let it
 * run. The hook itself ends sooner.
 */
const hookTimeout = 86_400
const otherTimeout = 20

const Hooks = z.record(
  z.string(),
  z.array(z.looseObject({ hooks: z.array(z.looseObject({ command: z.string().optional() })).optional() })),
)

/** Returns the entry of an event. */
function entryFor(layout: Layout, tool: ToolName, event: EventName): object {
  const hook = {
    type: 'command',
    command: hookCommand(layout, tool, event),
    timeout: isAboutCall(event) ? hookTimeout : otherTimeout,
    // Claude Code alone can block by itself when a hook does not start or takes too long.
    ...(tool === 'claude' && event === 'PreToolUse' ? { onFailure: 'block' } : {}),
  }
  return tool === 'claude' && (isAboutCall(event) || event === 'PostToolUse')
    ? { matcher: '*', hooks: [hook] }
    : { hooks: [hook] }
}

/** Returns the places of the own entries of an event: those that start the launcher. */
function ownPlaces(settings: Record<string, unknown>, layout: Layout, event: EventName): number[] {
  const groups = Hooks.safeParse(settings.hooks ?? {}).data?.[event] ?? []
  const isOwn = ({ command = '' }: { command?: string | undefined }) => command.includes(layout.launcher)
  return groups.flatMap(({ hooks = [] }, index) => (hooks.some(isOwn) ? [index] : []))
}

/** Whether the entries of all events are there, as they would be written. */
export function hasHooks(settings: Record<string, unknown>, layout: Layout, tool: ToolName): boolean {
  return eventsOf[tool].every((event) => {
    const [place, ...others] = ownPlaces(settings, layout, event)
    if (place === undefined || others.length > 0) return false
    const group = (settings.hooks as Record<string, unknown[]>)[event]?.[place]
    return JSON.stringify(group) === JSON.stringify(entryFor(layout, tool, event))
  })
}

/** Whether the `hooks` of the settings have a form that can be added to. */
export const canAddHooks = (settings: Record<string, unknown>): boolean =>
  Hooks.safeParse(settings.hooks ?? {}).success

/** Returns the text of the settings with the entries of all events. */
export function withHooks(text: string | null, layout: Layout, tool: ToolName): string {
  let changed = withoutHooks(text === null || text.trim() === '' ? '{}\n' : text, layout)
  for (const event of eventsOf[tool]) {
    const settings = JSON.parse(changed)
    const entry = entryFor(layout, tool, event)
    const isThere = Array.isArray(settings.hooks?.[event])
    changed = withValue(changed, ['hooks', event, ...(isThere ? [-1] : [])], isThere ? entry : [entry])
  }
  return changed
}

/** Returns the text of the settings without the own entries, and without what is empty then. */
export function withoutHooks(text: string, layout: Layout): string {
  let changed = text
  for (const event of eventsOf.claude) {
    const settings = JSON.parse(changed)
    const places = ownPlaces(settings, layout, event)
    for (const place of places.reverse()) changed = withValue(changed, ['hooks', event, place], undefined)
    if (places.length > 0 && JSON.parse(changed).hooks[event].length === 0)
      changed = withValue(changed, ['hooks', event], undefined)
  }
  const { hooks } = JSON.parse(changed)
  const isEmptied = changed !== text && hooks !== undefined && Object.keys(hooks).length === 0
  return isEmptied ? withValue(changed, ['hooks'], undefined) : changed
}
