/** Addresses behind which nobody reads. */

const MACHINE =
  /^(?:no-?_?\.?reply|do-?_?\.?not-?_?\.?reply|mailer-daemon|postmaster|bounces?|notifications?|alerts?|auto(?:mated|mailer|reply)?)(?:[-+_.=].*)?@/;

/** By the local part; the address is in lower case. */
export const isMachine = (address: string): boolean => MACHINE.test(address);

/** Commands of lists, and addresses that a service made for one mail. */
const COMMAND =
  /^(?:(?:un)?subscribe|majordomo|listserv|mailman|sympa|list-?(?:manager|master))(?:[-+_.=].*)?@|^[^@]+[-+](?:bounces?|(?:un)?subscribe|request|owner|no-?reply|donotreply|join|leave|confirm|digest)(?:\+.*)?@|^reply\+[^@]{16,}@/;

/** Hosts whose addresses are lists. */
const LIST_HOST =
  /@(?:(?:lists?|listserv|mailman|groups)\.[^@]+|(?:googlegroups|freelists|yahoogroups)\.[a-z.]+|(?:[^@]+\.)?groups\.io)$/;

/** Whether an address is none of a person, as far as it tells itself: of machines, of lists and their commands. */
export const isNobody = (address: string): boolean =>
  MACHINE.test(address) || COMMAND.test(address) || LIST_HOST.test(address);
