/** The preview of closing an account counts up to so many of each. */
export const previewMax = 200
