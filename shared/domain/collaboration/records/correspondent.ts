/** A person as the mail of one mailbox knows them, for the families that keep people. */

export interface NameInMail {
  name: string;
  first_name: string | null;
  last_name: string | null;
  /** Written by the owner of the mailbox, not by the person or anybody who claims to be that person. */
  by_owner: boolean;
  /** Milliseconds: of the mail that says so. */
  at: number;
}

export interface Correspondent {
  /** In lower case. */
  email_address: string;
  name: NameInMail | undefined;
  /** Milliseconds: of the first mail to or from the person that counts. */
  since: number;
  /** Whether the mailbox makes a contact of the address. */
  wanted: boolean;
  /** Whether it is the address of a list. */
  is_list: boolean;
}

const isWhole = ({ last_name }: NameInMail) => last_name !== null;

/** Whole names before parts, those that the owner wrote before those that others claim, and the oldest. */
export function betterName(a: NameInMail | undefined, b: NameInMail | undefined): NameInMail | undefined {
  if (!a || !b) return a ?? b;
  if (isWhole(a) !== isWhole(b)) return isWhole(a) ? a : b;
  if (a.by_owner !== b.by_owner) return a.by_owner ? a : b;
  if (a.at !== b.at) return a.at < b.at ? a : b;
  return a.name <= b.name ? a : b;
}
