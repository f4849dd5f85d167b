import { WHOLE } from '#shared/domain/collaboration/record-lists/entry.ts';
import { idFrom } from '#shared/ids.ts';

/** Links of contacts, as pages: who has the same page is found by a word of its own. */

/** The page of a link: without the scheme, `www.`, a fragment and a slash at the end. */
export function pageOf(url: string): string {
  const { host, pathname, search } = new URL(url);
  return `${host.replace(/^www\./, '')}${pathname.replace(/\/+$/, '')}${search}`;
}

export const pageWord = (url: string) => `${WHOLE}${idFrom('page', pageOf(url))}`;
