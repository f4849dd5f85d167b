import { asJson, bearer, type RawResponse, raw } from './raw.ts';
import type { Workspace } from './workspace.ts';

export interface Sent {
  body?: unknown;
  headers?: [string, string][];
}

/** Without a key, as nobody. */
export type Send = (
  key: string | undefined,
  method: string,
  path: string,
  sent?: Sent,
) => Promise<RawResponse>;

/** Sends any number of requests: the clock of the service runs ahead of rate limits. */
export function senderOf({ url, setTime }: Pick<Workspace, 'url' | 'setTime'>): Send {
  let count = 0;
  return (key, method, path, { body, headers = [] } = {}) => {
    if (++count % 300 === 0) setTime(new Date(Date.now() + (count / 300) * 180_000));
    return raw(url, {
      method,
      path,
      headers: [
        ...(key === undefined ? [] : [bearer(key)]),
        ...headers,
        ...(body === undefined ? [] : [asJson]),
      ],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
}
