/** The package comes without types. */
declare module 'proxy-from-env' {
  export function getProxyForUrl(url: string): string
}
