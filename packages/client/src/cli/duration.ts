import { usageFault } from './exit'

const units: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Returns the seconds of a text such as `90`, `90s`, `15m`, `12h` or `30d`. Undefined stays undefined. */
export function secondsOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, number = '', unit = 's'] = /^(\d{1,8})([smhd])?$/.exec(text) ?? []
  if (number === '') throw usageFault(`--${name} must be a time such as 90s, 15m, 12h or 30d.`)
  return Number(number) * (units[unit] ?? 1)
}

/** Returns a whole number of an option. Undefined stays undefined. */
export function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw usageFault(`--${name} must be a whole number.`)
  return Number(text)
}

/** Returns a time of the service for people: `2026-11-22 20:25 UTC`. */
export function timeText(at: string | null): string {
  return at === null ? '' : `${at.slice(0, 16).replace('T', ' ')} UTC`
}
