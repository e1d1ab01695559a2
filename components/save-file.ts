'use client'

/** Lets the browser download a file that the page has made. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers read the file only some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
