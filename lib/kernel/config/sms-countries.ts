import { isSupportedCountry } from 'libphonenumber-js/max'

/** Parses `SMS_COUNTRIES`. Returns null, which allows all countries, when it is not set. Adds a fault for each unknown country. */
export function parseCountries(value: string | undefined, faults: string[]): ReadonlySet<string> | null {
  if (value === undefined) return null
  const codes = value.split(',').map((code) => code.trim().toUpperCase())
  for (const code of codes)
    if (!isSupportedCountry(code))
      faults.push(`SMS_COUNTRIES: "${code}" is not the code of a country, such as US or DE`)
  return new Set(codes)
}
