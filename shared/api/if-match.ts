import * as z from 'zod';
import type { Expected } from '#shared/domain/platform/versions/version.ts';
import { Fields } from '#shared/fields.ts';
import { type ApiEvent, callOf, headerValues } from './call.ts';
import { versionInTag } from './etag.ts';
import type { Route } from './route.ts';

/**
 * `If-Match` (RFC 9110, 13.1.1; docs/specification/requests.md, "Conditional requests"): a change or a deletion of a
 * version of a record that the client has read, and of no other.
 */

export const acceptsIfMatch = ({ method, versioned }: Pick<Route, 'method' | 'versioned'>): boolean =>
  versioned === true && method !== 'POST';

/** One entity tag of a list, which may have empty elements (RFC 9110, 5.6.1 and 8.8.3). */
const ELEMENT = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;

/** The versions of the strong tags: a weak one never matches. Undefined for what is no list of tags. */
function versionsIn(sent: string): Set<string> | undefined {
  const versions = new Set<string>();
  let tags = 0;
  ELEMENT.lastIndex = 0;
  while (ELEMENT.lastIndex < sent.length) {
    const found = ELEMENT.exec(sent);
    if (!found) return undefined;
    const [, weak, tag] = found;
    if (tag === undefined) continue;
    tags++;
    if (!weak) versions.add(versionInTag(tag));
  }
  return tags > 0 ? versions : undefined;
}

/** Undefined without the header; 400 for a malformed one. The id is the last of the path. */
export function readIfMatch(event: ApiEvent): Expected | undefined {
  const values = headerValues(event, 'if-match');
  if (values.length === 0) return undefined;
  const sent = values.join(',').trim();
  const versions = sent === '*' ? 'any' : versionsIn(sent);
  const fields = new Fields();
  if (!versions)
    fields.add('If-Match', 'invalid_format', 'must be * or a list of ETags, each with its quotation marks');
  fields.throwIfAny();
  const id = Object.values(callOf(event).params).at(-1) ?? '';
  return { id, versions: versions ?? 'any', compared: false };
}

/** For the documentation. */
export const ifMatchHeader = {
  'If-Match': z
    .string()
    .optional()
    .meta({
      description:
        'The ETag of the version that you have read: 412 when the record has changed since. Several, with commas ' +
        'between them, mean any of them, and `*` means any version.',
      example: '"mbx3k2a1.Zk3nYw8cQmL0sVd5uXr1tA"',
    }),
};
