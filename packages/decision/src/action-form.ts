/** The form of the name of an action: a verb and an object, such as `transfer:funds`. */
export const actionForm = /^[a-z][a-z0-9_-]{0,31}:[a-z][a-z0-9_.*/-]{0,63}$/
