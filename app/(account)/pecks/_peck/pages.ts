/** The pages that show pecks, for `formAction` to revalidate. */
export const pagesWithPecks = ['/pecks/*', '/home']
