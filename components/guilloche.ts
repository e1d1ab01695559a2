/**
 * The fine lines of a certificate (a guilloche, as on banknotes), derived from its id. Curves are SVG path data in whole numbers, each
 * point relative to the one before it, to keep the page small.
 */
import { hash } from './duck-art'

function pathOf(points: [number, number][], end: '' | 'Z'): string {
  let [fromX, fromY] = [0, 0]
  const steps = points.map(([exactX, exactY], index) => {
    const [x, y] = [Math.round(exactX), Math.round(exactY)]
    const [right, down] = [x - fromX, y - fromY]
    ;[fromX, fromY] = [x, y]
    return `${index === 0 ? 'M' : index === 1 ? 'l' : right < 0 ? '' : ' '}${right}${down < 0 ? '' : ' '}${down}`
  })
  return `${steps.join('')}${end}`
}

/** Returns the curves of a rosette around 0, 0. The id sets the number and the shape of its petals. */
export function rosette(id: string, radius: number): string[] {
  const bits = hash(`rosette ${id}`)
  const petals = 7 + (bits % 7)
  const inner = 2 + ((bits >>> 4) % 4)
  const depth = 0.16 + ((bits >>> 8) % 5) * 0.02
  return Array.from({ length: 6 }, (_, turn) => {
    const shift = (turn * 2 * Math.PI) / (6 * petals)
    const points = Array.from({ length: 180 }, (_, step): [number, number] => {
      const angle = (step / 180) * 2 * Math.PI
      const wave = Math.cos(petals * (angle + shift)) + 0.35 * Math.cos(petals * inner * (angle - shift))
      const distance = radius * (1 - depth * 1.35 + depth * wave)
      return [distance * Math.cos(angle), distance * Math.sin(angle)]
    })
    return pathOf(points, 'Z')
  })
}

/** Returns the curves of a band of waves, `width` × `height`, with its upper left corner at 0, 0. */
export function band(id: string, width: number, height: number, lines: number): string[] {
  const bits = hash(`band ${id}`)
  const slow = 2 + (bits % 3)
  const fast = slow * (2 + ((bits >>> 3) % 3)) + 1
  const lean = ((bits >>> 6) % 10) / 10
  return Array.from({ length: lines }, (_, line) => {
    const phase = (line / lines) * 2 * Math.PI
    const points = Array.from({ length: 161 }, (_, step): [number, number] => {
      const along = (step / 160) * 2 * Math.PI
      const swing = Math.sin(slow * along + phase) * (0.62 + 0.38 * Math.cos(fast * along + lean + phase))
      return [(step / 160) * width, (height / 2) * (1 + swing * 0.96)]
    })
    return pathOf(points, '')
  })
}
