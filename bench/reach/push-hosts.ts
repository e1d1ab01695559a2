/** Addresses of one machine that the service takes for different hosts. */
export const fastHosts = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']
/** The push service at this one never answers. */
export const slowHost = '127.0.0.9'
