/** Keeps drawings that take long to compute. The same ids are drawn again and again: the landing page shows one certificate to everybody. */

/** A drawing has up to 20 kB, so the cache stays below 2 MB. */
const maxDrawings = 100
const drawings = new Map<string, string>()

/** Returns the drawing of a key. Draws it when it is not among the drawings that were used last. */
export function cachedDrawing(key: string, draw: () => string): string {
  const drawing = drawings.get(key) ?? draw()
  drawings.delete(key)
  drawings.set(key, drawing)
  for (const oldest of drawings.keys()) {
    if (drawings.size <= maxDrawings) break
    drawings.delete(oldest)
  }
  return drawing
}
