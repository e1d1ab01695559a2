/** The JSON of large answers, made in slices (`lib/kernel/slices.ts`). */
import type { z } from 'zod'
import { project } from '@/lib/kernel/projection'
import { nextSlice, sliceWeight } from '@/lib/kernel/slices'
import { marked } from '@/lib/kernel/test-service'

/** Projecting and writing a byte takes less time than computing what it shows. */
const weightOfByte = 1 / 8

interface Progress {
  weight: number
}

/** Returns what `JSON.stringify` makes of the projection of an answer, in a test service with its mark. Each item of its lists is made on its own. */
export async function jsonInSlices(schema: z.ZodType, value: unknown): Promise<string> {
  const text = (await textOf(schema, value, { weight: 0 })) ?? 'null'
  const mark = JSON.stringify(marked({})).slice(1)
  return mark === '}' ? text : `${text.slice(0, -1)},${mark}`
}

async function textOf(schema: z.ZodType, value: unknown, progress: Progress): Promise<string | undefined> {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  if (def.type === 'array' && Array.isArray(value)) {
    const items: string[] = []
    for (const item of value) {
      const text = JSON.stringify(project(def.element as z.ZodType, item)) ?? 'null'
      items.push(text)
      progress.weight += text.length * weightOfByte
      if (progress.weight <= sliceWeight) continue
      progress.weight = 0
      await nextSlice()
    }
    return `[${items.join()}]`
  }
  const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (def.type !== 'object' || def.catchall !== undefined || !isPlain)
    return JSON.stringify(project(schema, value))
  const members: string[] = []
  for (const [name, member] of Object.entries(def.shape)) {
    const text = await textOf(member as z.ZodType, (value as Record<string, unknown>)[name], progress)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join()}}`
}
