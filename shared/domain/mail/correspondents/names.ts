import type { NameInMail } from '#shared/domain/collaboration/records/correspondent.ts';
import { isRoleAddress } from '#shared/domain/collaboration/records/role-addresses.ts';
import { oneLine } from '#shared/domain/mail/mime/text.ts';
import { isName } from '#shared/values.ts';

/** The name of a person in a header (docs/specification/mail.md, "Contacts from mail"). */

const MAX_NAME = 255;

type PersonName = Pick<NameInMail, 'name' | 'first_name' | 'last_name'>;

/** What follows a comma without being a given name. */
const TITLE = /^(?:jr|sr|ii|iii|iv|ph\.?\s?d|md|m\.d|mba|esq|cpa|inc|llc|ltd|gmbh|ag|s\.?a|co|corp|plc)\.?$/i;

/** Pairs of quotes around a name, and what programs append to one. */
const QUOTED = /^(?:'([^']*)'|"([^"]*)"|“([^”]*)”|‘([^’]*)’|«([^»]*)»)$/;
const APPENDED = /\s*(?:\([^()]*\)|\[[^[\]]*\])$/;

function unquoted(name: string): string {
  const inner = QUOTED.exec(name)
    ?.slice(1)
    .find((each) => each !== undefined);
  return inner === undefined ? name : unquoted(inner.trim());
}

/** "Byron, Ada" is Ada Byron; "Ada Byron, PhD" is left. */
function turned(name: string): string {
  const [last = '', first, more] = name.split(',').map((part) => part.trim());
  const some = (part: string) => part !== '' && part.split(' ').length <= 3;
  if (first === undefined || more !== undefined || !some(last) || !some(first) || TITLE.test(first))
    return name;
  return `${first} ${last}`;
}

/** An address, a local part, or a person "via" a service say nothing about the owner of the address. */
function tells(name: string, address: string): boolean {
  const folded = name.toLowerCase();
  const [local = ''] = address.split('@');
  return (
    isName(name) && /\p{L}/u.test(name) && !name.includes('@') && !/\svia\s/i.test(name) && folded !== local
  );
}

/** Undefined when the header has no name for the address. */
export function personName(header: string | null, address: string): PersonName | undefined {
  const written = unquoted(oneLine(header ?? '', MAX_NAME));
  const name = turned(unquoted(written.replace(APPENDED, '').trim() || written));
  if (!tells(name, address)) return undefined;
  const words = name.replace(/,.*$/, '').split(' ');
  if (isRoleAddress(address)) return { name, first_name: null, last_name: null };
  const [first_name = null, ...rest] = words;
  return { name, first_name, last_name: rest.join(' ') || null };
}
