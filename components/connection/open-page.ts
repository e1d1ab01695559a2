/** The header of the requests that an open page makes for the router. A browser that opens a page does not send it. */
export const openPageHeader = 'x-beak-open-page'
