import type { NameInMail } from '#shared/domain/collaboration/records/correspondent.ts';
import { ADDRESS_IN_MAIL, keys } from '#shared/table/keys.ts';
import { exactly, type Item, mustNotExist, type Write, when } from '#shared/table/table.ts';

/**
 * What became of an address in mail. It is decided once in an account: a contact that users delete is not made again.
 */
export type Decision = Item & {
  /** The contact that mail made; null for an address that was on one already. */
  contact_id: string | null;
  /** `updated_at` of the contact when mail last wrote it: with another one, somebody has changed it. */
  updated_at: string | null;
  /** The mailbox that met the address first, and when, in milliseconds. */
  by: { mailbox_id: string; user_id: string; since: number };
  name: NameInMail | null;
  revision: number;
};

export type Decided = Pick<Decision, 'contact_id' | 'updated_at' | 'by' | 'name'>;

export const decisionKey = keys.addressInMail;

/** The decisions of an account, in no order that means something. */
export const addressesInMail = (account_id: string) => ({
  partition: keys.account(account_id).PK,
  sort: { begins: ADDRESS_IN_MAIL },
});

export function decisionWrite(
  account_id: string,
  address: string,
  decided: Decided,
  before?: Decision,
): Write {
  const revision = (before?.revision ?? 0) + 1;
  return {
    put: { ...decisionKey(account_id, address), ...decided, revision },
    when: before ? when<Decision>({ revision: exactly(before.revision) }) : mustNotExist,
  };
}
