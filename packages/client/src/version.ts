/** Version of the client, which is the version of the API that it was generated from. */
export const version = '0.3.0'
