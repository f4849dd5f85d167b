import { isLoopback } from '#shared/loopback.ts';

/** Where the app and the API are, for links in mail. */
export interface Addresses {
  /** Undefined while the operator has no app: mail says in words what to do. */
  app: string | undefined;
  api: string | undefined;
}

/** An address that others are appended to, without a slash at its end. Throws for others; `name` is where it was set. */
export function readAddress(text: string | undefined, name: string): string | undefined {
  if (!text) return undefined;
  const url = URL.parse(text);
  const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
  if (!url || !secure || `${url.username}${url.password}${url.search}${url.hash}` !== '')
    throw new Error(`${name} must be an address such as https://app.acme.example, not "${text}".`);
  return url.href.replace(/\/+$/, '');
}

export const readAddresses = ({ APP_URL, API_URL }: NodeJS.ProcessEnv): Addresses => ({
  app: readAddress(APP_URL, 'APP_URL'),
  api: readAddress(API_URL, 'API_URL'),
});

/** `segments` below an address; undefined without one. */
export function below(address: string | undefined, ...segments: string[]): string | undefined {
  return address && [address, ...segments.map(encodeURIComponent)].join('/');
}
